"""F7, checks on what compiles."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_SHOP = """# file: profiles/shop.yaml
kind: platform
name: shop
retrieval: LIMIT
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: shop, model: claude-sonnet-4-6}
instructions: You answer questions.
knowledge_bases: [handbook, price-list]
retrieval:
  knowledge_bases: [NAME]
  tags: [{tag: audience, all: [public]}]
"""

_RULES = """# file: profiles/first.yaml
kind: rule
name: focused-tests
topic: tests
text: Run the test that is about your change first.
# file: profiles/second.yaml
kind: rule
name: all-tests
authority: project
topic: TOPIC
text: Run all tests after each change.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You write code.
layout: {insert: {rules: {after: instructions}}}
rules: [focused-tests, all-tests]
"""

_SLOTS = """# file: profiles/slots.yaml
kind: block
name: slots
heading: Free slots
body: Monday at ten.
# file: profiles/example.yaml
kind: agent
name: example
layout: {insert: {slots: {after: instructions}}}
instructions: Offer only what stands below "QUOTED".
"""

_DESK = """# file: profiles/desk.yaml
kind: block
name: desk
tag: desk
send: on-change
body: Keep the desk.
# file: profiles/base.yaml
kind: block
name: base
covers: [SLOT]
body: |
  Keep the desk.
  Be kind.
# file: profiles/example.yaml
kind: agent
name: example
instructions: Help.
layout: {insert: {base: {after: instructions}, desk: {after: base}}}
"""

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F701",
        name="changing-instructions",
        severity=Severity.WARNING,
        message="these instructions print {inputs}, so they are not the same for every {whom} and leave the {declared} zone",
        meaning="The part of a prompt that is the same for every user is cached once for all of them. Instructions that "
        "print a request's value are cached for one conversation at most (zone {zone} here).",
        help="move the value into a block of its own, or accept the cost and write `zone: {zone}`",
        bad="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
inputs:
  name: {type: line, from: contact.name, default: there}
instructions: |
  You talk with {{ name | quoted }}.
""",
        good="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
zone: session
inputs:
  name: {type: line, from: contact.name, default: there}
instructions: |
  You talk with {{ name | quoted }}.
""",
    ),
    Code(
        code="F702",
        name="unused-input",
        severity=Severity.WARNING,
        message="the input `{name}` is declared but never read",
        meaning="No variant of this block prints the input or decides anything by it.",
        help="remove it, or use it in the body or in `when`",
        bad="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
inputs:
  name: {type: line, from: contact.name}
instructions: You answer questions.
""",
        good="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You answer questions.
""",
    ),
    Code(
        code="F703",
        name="unused-block",
        severity=Severity.WARNING,
        message="the block `{name}` stands in no layout that an agent uses",
        meaning="A block becomes part of a prompt only where a layout has a place for it.",
        help="insert it with `layout: {{insert: {{{name}: {{after: instructions}}}}}}` on an agent or a platform, or remove it",
        bad="""# file: profiles/opening-hours.yaml
kind: block
name: opening-hours
body: We are open from nine to five.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
instructions: You answer questions.
""",
        good="""# file: profiles/opening-hours.yaml
kind: block
name: opening-hours
body: We are open from nine to five.
# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: api, model: claude-sonnet-4-6}
layout: {insert: {opening-hours: {after: instructions}}}
instructions: You answer questions.
""",
    ),
    Code(
        code="F720",
        name="empty-retrieval",
        severity=Severity.WARNING,
        message="the agent `{agent}` may search nothing{where}: the limits have nothing in common",
        meaning="Limits of the search only take away. What the agent, the platform and the request each allow is "
        "intersected, and here nothing is left of it for any request.",
        help="correct one of the limits; where nothing is to be searched, write `knowledge_bases: []`",
        bad=_SHOP.replace("NAME", "handbook").replace("LIMIT", "{tags: [{tag: audience, none: [public]}]}"),
        good=_SHOP.replace("NAME", "handbook").replace("LIMIT", "{tags: [{tag: audience, none: [internal]}]}"),
    ),
    Code(
        code="F721",
        name="unknown-knowledge-base",
        severity=Severity.WARNING,
        message="{who} the knowledge base `{name}`",
        meaning="A limit never adds anything: only the knowledge bases that an agent lists in `knowledge_bases` can be "
        "searched, so this name lets nothing through.",
        help="correct the name, or list it in the agent's `knowledge_bases`",
        bad=_SHOP.replace("NAME", "hand-book").replace("LIMIT", "{}"),
        good=_SHOP.replace("NAME", "handbook").replace("LIMIT", "{}"),
    ),
    Code(
        code="F711",
        name="unfit-formatting",
        severity=Severity.WARNING,
        message="this asks for {formatting}, which {platforms} cannot show",
        meaning="A platform's `markup` and `tables` say what its users see. What a channel does not know reaches them as "
        "bare asterisks, hashes and bars.",
        help="say it only where it is shown, behind `{{% if platform.tables %}}` or `{{% if platform.markup == ... %}}`, or "
        "leave the platform out of `allows`",
        bad="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: line, model: claude-sonnet-4-6}
instructions: |
  You answer questions. Use a table to compare two offers.
""",
        good="""# file: profiles/example.yaml
kind: agent
name: example
defaults: {platform: line, model: claude-sonnet-4-6}
instructions: |
  You answer questions.
  {% if platform.tables %}
  Use a table to compare two offers.
  {% endif %}
""",
    ),
    Code(
        code="F712",
        name="template-in-plain-text",
        severity=Severity.WARNING,
        message="this is plain text, not a template: the model reads `{written}` as it stands",
        meaning="Templates are read in an agent's `instructions` and in a block's `body`. Headings, the texts of "
        "personalities, skills and tools, and a platform's group instructions go to the model as they are written.",
        help="write the value out, or move the sentence into a body; an example for the model goes between backticks",
        bad="""# file: profiles/calm.yaml
kind: personality
name: calm
text: "You are {{ agent.name }}. Speak calmly."
""",
        good="""# file: profiles/calm.yaml
kind: personality
name: calm
text: Speak calmly. A placeholder such as `{{ name }}` in a customer's mail is no instruction.
""",
    ),
    Code(
        code="F713",
        name="misquoted-heading",
        severity=Severity.WARNING,
        message="`{quoted}` is nearly the heading `{heading}`",
        meaning="Instructions point the model to a block by quoting its heading. A heading that does not stand in the "
        "prompt as quoted leads nowhere, and nobody notices when it is renamed.",
        help="quote the heading as it stands",
        bad=_SLOTS.replace("QUOTED", "Free slot"),
        good=_SLOTS.replace("QUOTED", "Free slots"),
    ),
    Code(
        code="F715",
        name="unmarked-part",
        severity=Severity.WARNING,
        message="the block `{name}` is sent on change, but nothing marks its part",
        meaning="A part that stands in a conversation is known again by its tag or its `markers`. Without them it stays "
        "behind when the conversation is shortened, and nobody sees whether it is still there.",
        help="give the block a `tag`, or `markers` with the texts that its part begins and ends with",
        bad="kind: block\nname: desk\nheading: Desk\nsend: on-change\nbody: Keep it.\n",
        good="kind: block\nname: desk\ntag: desk\nsend: on-change\nbody: Keep it.\n",
    ),
    Code(
        code="F716",
        name="covers-nothing",
        severity=Severity.WARNING,
        message="no layout with this block has a slot `{slot}`",
        meaning="`covers` names slots of the same layout whose text this block may hold itself. For a name that is no "
        "slot there it does nothing.",
        help="correct the name, or remove it",
        bad=_DESK.replace("SLOT", "desks"),
        good=_DESK.replace("SLOT", "desk"),
    ),
    Code(
        code="F730",
        name="overruled-rule",
        severity=Severity.WARNING,
        message="the rule `{name}` never holds: `{other}` does, because {because}",
        meaning="Two rules of an agent are about the same topic and cannot hold together, so one of them is overruled "
        "in every prompt. The model is told so; the words of it are wasted.",
        help="take one of them out, give them different topics or scopes, or make the one a default with `strength: should`",
        bad=_RULES.replace("TOPIC", "tests"),
        good=_RULES.replace("TOPIC", "style"),
    ),
    Code(
        code="F731",
        name="untold-rules",
        severity=Severity.WARNING,
        message="the agent `{agent}` has rules, and no block of its layout tells them",
        meaning="Rules reach the model through the block `rules`, or through a block that prints `agent.rules`.",
        help="put the block into the layout: `layout: {{insert: {{rules: {{after: instructions}}}}}}`",
        bad=_RULES.replace("TOPIC", "style").replace("layout: {insert: {rules: {after: instructions}}}\n", ""),
        good=_RULES.replace("TOPIC", "style"),
    ),
)
