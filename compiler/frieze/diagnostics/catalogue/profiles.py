"""F3, names, links, selectors."""

from __future__ import annotations

from frieze.diagnostics.catalogue import choices
from frieze.diagnostics.model import Code, Severity

_AGENT = """\
# file: profiles/agents/helper.yaml
kind: agent
name: helper
instructions: Help with orders.
"""

_FOLDERS = (
    Code(
        code="F301",
        name="no-project-file",
        severity=Severity.ERROR,
        message="`{folder}` holds no `frieze.yaml`, so it is not a project",
        meaning=(
            "A project is the folder with a `frieze.yaml` (`kind: project`). Every command starts there, or in a folder "
            "below it."
        ),
        help="go to the project's folder, name it on the command line, or start a new one with `frieze init`",
    ),
    Code(
        code="F302",
        name="not-a-project",
        severity=Severity.ERROR,
        message="`{file}` is not a project file: its first line should be `kind: project`",
        meaning=(
            "`frieze.yaml` says what the project is called, where its profiles are and which context paths it adds. "
            "Profiles of the other kinds stand in files of their own, below the `profiles:` folders."
        ),
        help="write `kind: project` and `name: ...`, and move other profiles to a file below `profiles/`",
        bad="# file: frieze.yaml\nkind: agent\nname: helper\ninstructions: Help with orders.\n",
        good="# file: frieze.yaml\nkind: project\nname: help-desk\n",
    ),
    Code(
        code="F303",
        name="no-such-folder",
        severity=Severity.ERROR,
        message="there is no folder `{name}` in this project",
        meaning="Each entry of `profiles:` is a folder, written relative to `frieze.yaml`.",
        help="create the folder, or take the entry out of `profiles:`",
        bad="# file: frieze.yaml\nkind: project\nname: help-desk\nprofiles: [profiles, promts]\n",
        good="# file: frieze.yaml\nkind: project\nname: help-desk\nprofiles: [profiles]\n",
    ),
    Code(
        code="F304",
        name="outside-the-project",
        severity=Severity.ERROR,
        message="`{name}` leads out of the project's folder",
        meaning=(
            "Profiles come from the project's own folder, so that a clone of the repository compiles to the same bytes "
            "everywhere. `..` and links may not leave it."
        ),
        help="move the files into the project and name that folder",
        bad="# file: frieze.yaml\nkind: project\nname: help-desk\nprofiles: [../shared]\n",
        good="# file: frieze.yaml\nkind: project\nname: help-desk\nprofiles: [profiles]\n",
    ),
    Code(
        code="F305",
        name="file-without-kind",
        severity=Severity.WARNING,
        message="this file has no `kind:`, so it is not read as a profile",
        meaning="YAML files below the `profiles:` folders that declare something start with `kind:` and `name:`.",
        help="start it with `kind:` (one of {kinds}) and `name:`, or move it out of the profiles",
        bad="name: current-weather\nheading: Current weather\nbody: Sunny.\n",
        good="kind: block\nname: current-weather\nheading: Current weather\nbody: Sunny.\n",
    ),
    Code(
        code="F306",
        name="unknown-kind",
        severity=Severity.ERROR,
        message="there is no kind of profile called `{kind}`",
        meaning="The kinds are agent, platform, personality, model, block, layout, skill and tool; `project` is `frieze.yaml`.",
        bad="kind: persona\nname: cheerful\ntext: Be cheerful.\n",
        good="kind: personality\nname: cheerful\ntext: Be cheerful.\n",
    ),
    Code(
        code="F307",
        name="project-among-profiles",
        severity=Severity.ERROR,
        message="a project is declared in `frieze.yaml`, not among the profiles",
        meaning="A project has one `frieze.yaml`, at its top. Below the `profiles:` folders stand the other kinds.",
        help="move what this file says into `frieze.yaml`",
        bad="kind: project\nname: second\n",
        good="# file: frieze.yaml\nkind: project\nname: first\n",
    ),
    Code(
        code="F308",
        name="link-to-a-folder",
        severity=Severity.WARNING,
        message="`{name}` is a link to a folder and is not followed",
        meaning=(
            "Links to folders below `profiles:` are passed over, since they could lead out of the project or around in "
            "a circle. It comes about where such a link stands."
        ),
        help="move the folder here, or list the folder that it points to under `profiles:`",
    ),
    Code(
        code="F309",
        name="no-agent",
        severity=Severity.WARNING,
        message="project `{name}` declares no agent, so there is no prompt to compile",
        meaning="Prompts are asked for by agent. The library's agents count only as bases for `extends`.",
        help="declare one in a file below `profiles/`: `kind: agent`, `name: ...`, `instructions: ...`",
    ),
)

_NAMES = (
    Code(
        code="F310",
        name="duplicate-name",
        severity=Severity.ERROR,
        message="there are two {kinds} called `{name}`",
        meaning="A name belongs to one declaration of its kind, whatever file it stands in.",
        help="rename one of the two, or let one extend the other under a name of its own",
        bad=_AGENT + _AGENT.replace("helper.yaml", "second.yaml"),
        good=_AGENT + _AGENT.replace("helper.yaml", "second.yaml").replace("name: helper", "name: second"),
    ),
    Code(
        code="F311",
        name="library-name",
        severity=Severity.ERROR,
        message="`{name}` is a name in the shipped library; a file declares its own name without `std/`",
        meaning=(
            "`std/` in front of a name means the library's declaration. A project may use the same bare name: inside "
            "the project it then means the project's own."
        ),
        bad="kind: personality\nname: std/friendly\ntext: Be warm.\n",
        good="kind: personality\nname: friendly\nextends: std/friendly\ntext: Be warm.\n",
    ),
    Code(
        code="F312",
        name="unknown-name",
        severity=Severity.ERROR,
        message="there is no {kind} called `{name}`",
        meaning=(
            "A name means the project's own declaration of that kind, else the library's; `std/` in front means the "
            "library's. Neither has this one."
        ),
        bad=_AGENT + "defaults: {platform: lime}\n",
        good=_AGENT + "defaults: {platform: line}\n",
    ),
    Code(
        code="F313",
        name="extends-in-a-circle",
        severity=Severity.ERROR,
        message="these {kinds} extend each other in a circle: {path}",
        meaning="`extends` takes another declaration and applies this one on top, so one of them has to stand by itself.",
        help="take `extends:` out of one of them",
        bad="# file: profiles/a.yaml\nkind: personality\nname: warm\nextends: kind\n# file: profiles/b.yaml\nkind: personality\nname: kind\nextends: warm\n",
        good="# file: profiles/a.yaml\nkind: personality\nname: warm\nextends: kind\n# file: profiles/b.yaml\nkind: personality\nname: kind\ntext: Be kind.\n",
    ),
    Code(
        code="F314",
        name="project-without-package",
        severity=Severity.WARNING,
        message="a project called `{name}` makes no importable package: `import {package}` is no Python",
        meaning="A bundle is also a package of the project's name. Its files can be opened from a folder whatever it is "
        "called; an import needs a name that Python allows.",
        help="begin the name with a letter, and take none of Python's own words",
        bad="# file: frieze.yaml\nkind: project\nname: 3d-shop\n",
        good="# file: frieze.yaml\nkind: project\nname: shop-3d\n",
    ),
    Code(
        code="F315",
        name="shadowing-project-name",
        severity=Severity.WARNING,
        message="the package of a project called `{name}` would take the place of {other}",
        meaning="Whoever puts the folder `dist` on the path then imports these prompts where the other one is meant.",
        help="give the project a name of its own, such as `{name}-prompts`",
        bad="# file: frieze.yaml\nkind: project\nname: json\n",
        good="# file: frieze.yaml\nkind: project\nname: json-prompts\n",
    ),
)

_TEXTS = (
    Code(
        code="F320",
        name="no-such-text-file",
        severity=Severity.ERROR,
        message="there is no file `{name}` in `{folder}`",
        meaning="The path in `{{file: ...}}` starts at the folder of the profile that names it.",
        help="create the file, or correct the path; it starts at the folder of this profile",
        bad="kind: personality\nname: cheerful\ntext: {file: cheerful.md}\n",
        good="kind: personality\nname: cheerful\ntext: {file: cheerful.md}\n# file: profiles/cheerful.md\nBe cheerful.\n",
    ),
    Code(
        code="F321",
        name="text-file-outside",
        severity=Severity.ERROR,
        message="`{name}` is not a path inside the project",
        meaning=(
            "A text file stands inside the project, and its path is written relative to the profile, with `/`. Neither "
            "`..` nor a link may lead out of the project."
        ),
        help="move the file into the project and name it by a relative path",
        bad="kind: personality\nname: cheerful\ntext: {file: ../../etc/motd}\n",
        good="kind: personality\nname: cheerful\ntext: {file: cheerful.md}\n# file: profiles/cheerful.md\nBe cheerful.\n",
    ),
)

_INPUT = """\
kind: block
name: order
heading: Current order
when: order is defined
inputs:
  order: {type: TYPE, from: PATH}
body: "Order: {{ order }}"
"""
_ORDER = _INPUT.replace("TYPE", "line").replace("PATH", "message.metadata.order")
_CONTEXT = "# file: frieze.yaml\nkind: project\nname: help-desk\ncontext:\n"

_CONTRACT = (
    Code(
        code="F330",
        name="context-path-taken",
        severity=Severity.ERROR,
        message="the library already declares the context path `{path}`",
        meaning="A project adds paths to the context; those of the library keep their type, zone and trust.",
        help="take this row out, or give your own value a path of its own",
        bad=_CONTEXT + "  contact.name: {type: text}\n",
        good=_CONTEXT + "  contact.nickname: {type: line}\n",
    ),
    Code(
        code="F331",
        name="context-path-below-a-value",
        severity=Severity.ERROR,
        message="`{path}` cannot stand below `{parent}`, which is a single value (`{type}`)",
        meaning="Only a path of the type `attributes`, or one that is not declared itself, has paths below it.",
        help="choose a path that does not begin with another one",
        bad=_CONTEXT + "  contact.name.first: {type: line}\n",
        good=_CONTEXT + "  contact.first_name: {type: line}\n",
    ),
    Code(
        code="F332",
        name="unknown-path",
        severity=Severity.ERROR,
        message="nothing declares the path `{path}`",
        meaning=(
            "A source is a path of the context contract (the library's and what `context:` in `frieze.yaml` adds), a "
            "key of an attribute map such as `message.metadata.order`, or a field of a selector such as "
            "`platform.timezone`."
        ),
        help="correct it, or declare it under `context:` in `frieze.yaml`",
        bad=_INPUT.replace("TYPE", "line").replace("PATH", "contact.nmae"),
        good=_INPUT.replace("TYPE", "line").replace("PATH", "contact.name"),
    ),
    Code(
        code="F333",
        name="path-of-another-type",
        severity=Severity.ERROR,
        message="input `{name}` is of the type `{type}`, but `{path}` gives `{found}`",
        meaning=(
            "Values are checked, not converted: an input reads paths of its own type, or of one that is narrower (a "
            "`line` may read a `timezone`, a `number` an `integer`)."
        ),
        bad=_INPUT.replace("TYPE", "integer").replace("PATH", "contact.name"),
        good=_INPUT.replace("TYPE", "line").replace("PATH", "contact.name"),
    ),
    Code(
        code="F334",
        name="input-name-taken",
        severity=Severity.ERROR,
        message="an input cannot be called `{name}`: in templates that is {what}",
        meaning=(
            "agent, platform, model, personality, mode and audience mean the selectors in every template; `loop`, "
            "`true`, `if`, `range` and their like mean what they mean in Jinja2."
        ),
        bad=_ORDER.replace("order:", "platform:")
        .replace("{{ order }}", "{{ platform.name }}")
        .replace("when: order is defined\n", ""),
        good=_ORDER,
    ),
    Code(
        code="F335",
        name="from-or-merge",
        severity=Severity.ERROR,
        message="input `{name}` is of the type `{type}`: write its sources under `{expected}:`, not `{there}:`",
        meaning=(
            "`from` takes the first source that has a valid value. `merge`, for attribute maps only, takes each key "
            "from the first source that has it."
        ),
        help="rename `{there}:` to `{expected}:`",
        bad=_INPUT.replace("TYPE", "line").replace("from: PATH", "merge: [contact.name]"),
        good=_INPUT.replace("TYPE", "line").replace("PATH", "contact.name"),
    ),
    Code(
        code="F336",
        name="input-without-source",
        severity=Severity.ERROR,
        message="input `{name}` has no source: it can never have a value",
        meaning="An input needs a path to read, or at least a `default`.",
        help="add `{expected}: PATH`, or a `default:`",
        bad=_INPUT.replace("TYPE", "line").replace(", from: PATH", ""),
        good=_INPUT.replace("TYPE", "line").replace("PATH", "contact.name"),
    ),
    Code(
        code="F337",
        name="unknown-record-field",
        severity=Severity.ERROR,
        message="the records of `{path}` have no field `{field}`",
        meaning="A list of records can only be read by the fields that the context contract gives to its records.",
        bad="""\
kind: block
name: chosen
heading: Chosen documents
when: documents
inputs:
  documents: {type: list, from: message.reference_documents, of: {fields: {title: {type: line}}}}
body: |
  {% for document in documents %}
  - {{ document.title | default("untitled") }}
  {% endfor %}
""",
        good="""\
kind: block
name: chosen
heading: Chosen documents
when: documents
inputs:
  documents: {type: list, from: message.reference_documents, of: {fields: {name: {type: line}}}}
body: |
  {% for document in documents %}
  - {{ document.name | default("untitled") }}
  {% endfor %}
""",
    ),
    Code(
        code="F338",
        name="unknown-supported-list",
        severity=Severity.ERROR,
        message="`supported: {path}` is not a list of languages",
        meaning="`supported` narrows a language input to a list: written out, or a selector's field that holds one.",
        bad="""\
kind: block
name: tongue
heading: Tongue
when: language is defined
inputs:
  language: {type: language, from: message.metadata.language, supported: platform.language}
body: "Answer in {{ language }}."
""",
        good="""\
kind: block
name: tongue
heading: Tongue
when: language is defined
inputs:
  language: {type: language, from: message.metadata.language, supported: platform.languages}
body: "Answer in {{ language }}."
""",
    ),
)

_DEFAULTS = (
    Code(
        code="F339",
        name="default-of-another-type",
        severity=Severity.ERROR,
        message="the default of input `{name}` is not of its type `{type}`",
        meaning="A default takes the place of a value, so it must pass the checks that a value has to pass.",
        help="write a default of the input's type, or leave it out",
        bad=_INPUT.replace("TYPE", "integer").replace("from: PATH", "from: message.metadata.order, default: many"),
        good=_INPUT.replace("TYPE", "integer")
        .replace("from: PATH", "from: message.metadata.order, default: 1")
        .replace("when: order is defined\n", ""),
    ),
)

ENTRIES: tuple[Code, ...] = (*_FOLDERS, *_NAMES, *_TEXTS, *_CONTRACT, *_DEFAULTS, *choices.ENTRIES)
