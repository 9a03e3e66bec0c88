"""F3, names, links, selectors."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_LAYOUT = """\
# file: profiles/layouts/short.yaml
kind: layout
name: short
blocks:
  instructions: {}
  user-name: {}
"""

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
        name="input-named-as-selector",
        severity=Severity.ERROR,
        message="an input cannot be called `{name}`: in templates that is the selector",
        meaning="agent, platform, model, personality, mode and audience mean the selectors in every template.",
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

_LAYOUTS = (
    Code(
        code="F340",
        name="slot-written-twice",
        severity=Severity.ERROR,
        message="slot `{slot}` stands twice in this layout",
        meaning="A slot is named once; `std/user-name` and `user-name` are the same slot.",
        help="take one of them out, or give it another name and say `{{block: NAME}}`",
        bad=_LAYOUT + "  std/user-name: {}\n",
        good=_LAYOUT + "  again: {block: std/user-name}\n",
    ),
    Code(
        code="F341",
        name="unknown-slot",
        severity=Severity.ERROR,
        message="layout `{layout}` has no slot `{slot}` to edit",
        meaning=(
            "A layout edit names slots of the layout that it starts from, or slots that it inserts itself. The agent's "
            "edit comes after the platform's."
        ),
        bad=_AGENT + "layout: {from: std, remove: [user-nam]}\n",
        good=_AGENT + "layout: {from: std, remove: [user-name]}\n",
    ),
    Code(
        code="F342",
        name="slot-taken",
        severity=Severity.ERROR,
        message="slot `{slot}` cannot be inserted: the layout has one already",
        meaning="Each slot stands in a layout once. An edit that removes a slot may insert its own under the same name.",
        help="use `move:` to put it elsewhere, or add it to `remove:` to put your own block of that name in its place",
        bad=_AGENT + "layout: {from: std, insert: {user-name: {at: last}}}\n",
        good=_AGENT + "layout: {from: std, move: {user-name: {at: last}}}\n",
    ),
    Code(
        code="F343",
        name="slot-removed",
        severity=Severity.ERROR,
        message="this edit removes slot `{slot}`, so nothing can be moved with it or placed beside it",
        meaning="An edit is read as a whole: what it removes is gone for its other lines as well.",
        help="name a slot that stays, or do not remove this one",
        bad=_AGENT + "layout: {from: std, remove: [location], move: {language: {before: location}}}\n",
        good=_AGENT + "layout: {from: std, remove: [location], move: {language: {before: current-time}}}\n",
    ),
    Code(
        code="F344",
        name="slots-in-a-circle",
        severity=Severity.ERROR,
        message="these slots are placed beside each other in a circle: {slots}",
        meaning="What is inserted or moved hangs on another slot; at the end of the chain there must be one that stays.",
        help="place one of them beside a slot that stays, or `at: first` or `at: last`",
        bad=_AGENT + "layout: {from: std, move: {language: {after: location}, location: {after: language}}}\n",
        good=_AGENT + "layout: {from: std, move: {language: {after: location}}}\n",
    ),
    Code(
        code="F350",
        name="block-without-body",
        severity=Severity.ERROR,
        message="block `{name}` has no `body:`",
        meaning="A block is what its body prints. Only `instructions` has none: there the agent's own text stands.",
        help="add `body: |` and the text",
        bad="kind: block\nname: greeting\nheading: Greeting\n",
        good="kind: block\nname: greeting\nheading: Greeting\nbody: Greet the user first.\n",
    ),
    Code(
        code="F351",
        name="heading-and-tag",
        severity=Severity.ERROR,
        message="block `{name}` has a `heading:` and a `tag:`",
        meaning="A block stands under a heading or between a pair of tags, not both.",
        help="keep one of the two",
        bad="kind: block\nname: greeting\nheading: Greeting\ntag: greeting\nbody: Greet the user first.\n",
        good="kind: block\nname: greeting\ntag: greeting\nbody: Greet the user first.\n",
    ),
)

_SELECTORS = (
    Code(
        code="F360",
        name="default-not-allowed",
        severity=Severity.ERROR,
        message="the default {selector} `{name}` is not among the {plural} that the agent allows: {choices}",
        meaning="A default must be something that may be asked for.",
        help="add it to `allows.{plural}`, or choose another default",
        bad=_AGENT + "defaults: {platform: slack}\nallows: {platforms: [line, api]}\n",
        good=_AGENT + "defaults: {platform: line}\nallows: {platforms: [line, api]}\n",
    ),
    Code(
        code="F362",
        name="personality-without-text",
        severity=Severity.WARNING,
        message="personality `{name}` has no text, neither its own nor from a model that the agent allows",
        meaning=(
            "A personality acts through its text: its own, or one that a model gives under `personalities:`. Without "
            "one it changes nothing."
        ),
        help='give it a `text:`; `text: ""` says that it has none on purpose',
        bad="kind: personality\nname: cheerful\ndescription: Always cheerful.\n",
        good='kind: personality\nname: plain\ndescription: No manner of its own.\ntext: ""\n',
    ),
    Code(
        code="F363",
        name="mode-without-policy",
        severity=Severity.ERROR,
        message="there are no modes: no permission policy declares any",
        meaning="A mode comes from an agent's permission policy. Without one, nothing can be said about modes.",
        help="take the line out",
        bad=_AGENT + "defaults: {mode: implement}\n",
        good=_AGENT,
    ),
    Code(
        code="F364",
        name="not-a-time-zone",
        severity=Severity.ERROR,
        message="`{zone}` is not a time zone of the IANA database",
        meaning=(
            "A time zone is written as its key in the IANA database, such as `Asia/Tokyo`. Offsets, abbreviations and "
            "names that depend on the machine are refused: they do not say when clocks change."
        ),
        help="write a key such as `Asia/Tokyo` or `Europe/Berlin`",
        bad="kind: platform\nname: shop\ntimezone: Asia/Tokio\n",
        good="kind: platform\nname: shop\ntimezone: Asia/Tokyo\n",
    ),
    Code(
        code="F365",
        name="not-a-language",
        severity=Severity.ERROR,
        message="`{tag}` is not a language tag",
        meaning="A language is written as a BCP 47 tag: two or three letters, then script and region if they matter.",
        help="write a tag such as `en`, `pt-BR` or `zh-Hant-TW`",
        bad="kind: platform\nname: shop\nlanguages: [en, en-US-GB]\n",
        good="kind: platform\nname: shop\nlanguages: [en-US, en-GB]\n",
    ),
)

_TOOLS: tuple[Code, ...] = (
    Code(
        code="F366",
        name="not-a-tools-arguments",
        severity=Severity.ERROR,
        message="this is not the JSON Schema of a tool's arguments",
        meaning=(
            "A tool takes its arguments as one JSON object, and vendors ask for a JSON Schema (draft 2020-12) that says "
            "`type: object` and describes each argument under `properties`."
        ),
        bad="kind: tool\nname: find-booking\ndescription: Finds a booking.\ninput: {code: string}\n",
        good=(
            "kind: tool\nname: find-booking\ndescription: Finds a booking.\n"
            "input:\n  type: object\n  properties:\n    code: {type: string}\n  required: [code]\n"
        ),
    ),
    Code(
        code="F367",
        name="one-name-for-two",
        severity=Severity.ERROR,
        message="this agent already has a {kind} that the model knows as `{name}`",
        meaning="A model is told the name without `std/`, so it could not tell this {kind} from `{other}`.",
        help="remove one of the two, or declare one under another name with `extends`",
        bad=(
            "# file: profiles/read-skill.yaml\nkind: tool\nname: read-skill\ndescription: Reads a skill.\n"
            "# file: profiles/example.yaml\nkind: agent\nname: example\ninstructions: Be kind.\n"
            "tools: [read-skill, std/read-skill]\n"
        ),
        good=(
            "# file: profiles/read-skill.yaml\nkind: tool\nname: read-skill\ndescription: Reads a skill.\n"
            "# file: profiles/example.yaml\nkind: agent\nname: example\ninstructions: Be kind.\ntools: [read-skill]\n"
        ),
    ),
)

ENTRIES: tuple[Code, ...] = (*_FOLDERS, *_NAMES, *_TEXTS, *_CONTRACT, *_DEFAULTS, *_LAYOUTS, *_SELECTORS, *_TOOLS)
