"""F340 to F369: layouts, what an agent may choose, tools, rules."""

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
    Code(
        code="F352",
        name="tag-of-the-layout",
        severity=Severity.ERROR,
        message="the tag `{tag}` is the layout's own",
        meaning="A layout puts what changes every turn between tags of its own, `turn_notices` and `turn_context` where it "
        "names no others. A block in the same tags would be a pair inside of a pair of the same name.",
        help="give the block a tag of its own, or the layout others under `tags:`",
        bad="kind: block\nname: greeting\ntag: turn_context\nbody: Greet the user first.\n",
        good="kind: block\nname: greeting\ntag: greeting\nbody: Greet the user first.\n",
    ),
)

_SELECTORS = (
    Code(
        code="F360",
        name="default-not-allowed",
        severity=Severity.ERROR,
        message="the default {selector} `{name}` is not among the {plural} that the agent allows{choices}",
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

_RULES = (
    Code(
        code="F369",
        name="settled-with-something-else",
        severity=Severity.ERROR,
        message="`settle_with: {path}` is not `{expected}`, or the input is no list",
        meaning="Rules of a request are settled with those of the agent; the input is a list of records with the fields of a rule.",
        help="write `settle_with: {expected}` at an input of the type `list`",
        bad="""\
kind: block
name: house-rules
heading: House rules
when: rules
inputs:
  rules: {type: list, of: {fields: {id: {type: line, required: true}, text: {type: line, required: true}}}, from: rules, settle_with: agent.skills}
body: "{% for rule in rules %}- {{ rule.text | quoted }} {% endfor %}"
""",
        good="""\
kind: block
name: house-rules
heading: House rules
when: rules
inputs:
  rules: {type: list, of: {fields: {id: {type: line, required: true}, text: {type: line, required: true}}}, from: rules, settle_with: agent.rules}
body: "{% for rule in rules %}- {{ rule.text | quoted }} {% endfor %}"
""",
    ),
)

ENTRIES: tuple[Code, ...] = (*_LAYOUTS, *_SELECTORS, *_TOOLS, *_RULES)
