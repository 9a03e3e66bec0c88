"""F4, templates."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity


def _block(body: str) -> str:
    """Write a block that has a body, an input of each common type, and a place in the layout of an agent."""
    lines = "".join(f"  {line}\n" if line else "\n" for line in body.split("\n"))
    return (
        "# file: frieze.yaml\nkind: project\nname: example\nversion: 1.0.0\nprofiles: [profiles]\n"
        "# file: profiles/helper.yaml\nkind: agent\nname: helper\ndescription: Answers questions.\n"
        "instructions: |\n  Answer in one sentence.\n"
        "layout: {from: std, insert: {example: {after: instructions}}}\n"
        "# file: profiles/example.yaml\nkind: block\nname: example\n"
        "inputs:\n"
        "  user: {type: line, from: contact.name, default: guest}\n"
        "  items: {type: list, of: line, from: message.metadata.items, default: []}\n"
        "body: |\n" + lines
    )


_MANNERS = "# file: profiles/manners.yaml\nkind: block\nname: manners\nbody: |\n  Greet the user first.\n"

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F401",
        name="template-syntax",
        severity=Severity.ERROR,
        message="this is not a template: {reason}",
        meaning="Templates have Jinja2's syntax. The place is where Jinja2 stopped reading.",
        bad=_block("Hello {{ user }\n"),
        good=_block("Hello {{ user }}\n"),
    ),
    Code(
        code="F402",
        name="unknown-input",
        severity=Severity.ERROR,
        message="there is no input `{name}`",
        meaning="A template can use the inputs that its block declares, the selectors, and the names that it binds itself.",
        help="declare it under `inputs:`",
        bad=_block("Hello {{ usr }}."),
        good=_block("Hello {{ user }}."),
    ),
    Code(
        code="F403",
        name="unsupported-construct",
        severity=Severity.ERROR,
        message="{what} is not part of the template language",
        meaning="frieze decides when compiling what can be decided, and keeps a closed list of operations for the rest. What has no certain meaning under that split is refused, never changed.",
        bad=_block("{% extends 'base' %}"),
        good=_block("Hello {{ user }}."),
    ),
    Code(
        code="F404",
        name="unknown-filter",
        severity=Severity.ERROR,
        message="there is no filter `{name}`",
        meaning="The filters are those of Jinja2, and `json`, `quoted`, `prefixed`, `yesno`, `local`, `date`, `time`, `weekday`, `iso_week`, `utc_offset`, `fitted`.",
        bad=_block("Hello {{ user | uppr }}."),
        good=_block("Hello {{ user | upper }}."),
    ),
    Code(
        code="F405",
        name="unknown-test",
        severity=Severity.ERROR,
        message="there is no test `{name}`",
        meaning="The tests (`is ...`) are those of Jinja2.",
        bad=_block("{% if user is defned %}Hello.{% endif %}"),
        good=_block("{% if user is defined %}Hello.{% endif %}"),
    ),
    Code(
        code="F406",
        name="evaluation-fails",
        severity=Severity.ERROR,
        message="this always fails: {reason}",
        meaning="What is known when compiling already shows that this part of the template cannot give a text.",
        bad=_block("{{ 1 // 0 }}"),
        good=_block("{{ 1 // 2 }}"),
    ),
    Code(
        code="F407",
        name="budget-exceeded",
        severity=Severity.ERROR,
        message="this needs {what} when compiling; the limit is {limit}",
        meaning="Known values are evaluated when compiling, within limits of steps, memory and size, so that no template can stall the compiler.",
        help="make the loop, the width or the text smaller",
        bad=_block("{{ 'x' * 1000000000 }}"),
        good=_block("{{ 'x' * 10 }}"),
    ),
    Code(
        code="F408",
        name="bare-selector",
        severity=Severity.ERROR,
        message="`{name}` is a whole profile, not a value",
        meaning="A selector stands for a profile with many fields. Only `personality` has a text of its own.",
        help="name one of its fields: `{name}.name`",
        bad=_block("You are on {{ platform }}."),
        good=_block("You are on {{ platform.name }}."),
    ),
    Code(
        code="F409",
        name="missing-else",
        severity=Severity.ERROR,
        message="this inline `if` has no `else`",
        meaning="Without an `else` the result may be nothing at all, and a sentence with a hole in it.",
        help="add `else '...'`",
        bad=_block("Hello {{ user if user }}."),
        good=_block("Hello {{ user if user else 'friend' }}."),
    ),
    Code(
        code="F410",
        name="unsafe-operation",
        severity=Severity.ERROR,
        message="{what} is not available to templates",
        meaning="Templates reach data, not the inside of Python.",
        bad=_block("{{ ''.__class__ }}"),
        good=_block("{{ 'text' | upper }}"),
    ),
    Code(
        code="F411",
        name="include-missing",
        severity=Severity.ERROR,
        message="there is no block `{name}` to include",
        meaning="`include` takes the body of another block, by its name.",
        help="write the name of a block",
        bad=_block("{% include 'no-such-block' %}"),
        good=_block("{% include 'manners' %}") + _MANNERS,
    ),
    Code(
        code="F412",
        name="include-circle",
        severity=Severity.ERROR,
        message="`{name}` includes itself",
        meaning="A block that includes itself, directly or through others, has no end.",
        help="take the common part out into a block of its own",
        bad=_block("{% include 'example' %}"),
        good=_block("{% include 'manners' %}") + _MANNERS,
    ),
    Code(
        code="F413",
        name="no-certain-text",
        severity=Severity.ERROR,
        message="{what} has no text that is the same in every run",
        meaning="Iterators, methods and objects print as memory addresses, and random or stateful functions give something else each time. A frozen prompt must be the same bytes again.",
        help="use a filter such as `list` or `join`, or print a field",
        bad=_block("{{ [1, 2] | random }}"),
        good=_block("{{ [1, 2] | first }}"),
    ),
    Code(
        code="F414",
        name="method-on-unknown",
        severity=Severity.ERROR,
        message="{what} cannot be done when rendering",
        meaning="On values that are not known when compiling, only `items`, `keys`, `values` and `get` of maps can be called. Filters do the rest.",
        help="use a filter",
        bad=_block("Hello {{ user.upper() }}."),
        good=_block("Hello {{ user | upper }}."),
    ),
    Code(
        code="F415",
        name="ambiguous-attribute",
        severity=Severity.ERROR,
        message="`.{name}` may be a method of the value or one of its keys",
        meaning="Jinja2 prefers the method. Which of the two an unknown value has is not certain, so the key has to be asked for by name.",
        help="write `['{name}']`",
        bad=_block("Titles:{% for item in items %} {{ item.title }}{% endfor %}"),
        good=_block("Titles:{% for item in items %} {{ item }}{% endfor %}"),
    ),
    Code(
        code="F416",
        name="lazy-result",
        severity=Severity.ERROR,
        message="the result of `{name}` can be walked once and has no value of its own",
        meaning="Filters such as `map` and `select` give their items one by one, when they are asked for. They are always true, have no length, and are empty the second time.",
        help="put `| list` behind it",
        bad=_block("{% if items | select %}Some.{% endif %}"),
        good=_block("{% if items | select | list %}Some.{% endif %}"),
    ),
    Code(
        code="F417",
        name="markup-operand",
        severity=Severity.ERROR,
        message="an escaped text is used as an operand",
        meaning="The results of `escape`, `safe` and `tojson` are a special kind of text in Jinja2: what is joined to them is escaped as well.",
        help="print it where it stands, or join with `~`",
        bad=_block("Hello {{ ('dear' | escape) + user }}"),
        good=_block("Hello {{ 'dear' ~ user }}"),
    ),
    Code(
        code="F418",
        name="namespace-under-condition",
        severity=Severity.ERROR,
        message="`{name}` is set under a condition that is not known when compiling",
        meaning="A namespace keeps what is set in it beyond loops and branches. Under an unknown condition its value would be neither known nor one expression.",
        help="use `set`, a filtered loop, or a filter such as `selectattr`",
        bad=_block(
            "{% set ns = namespace(n=0) %}{% for item in items %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}"
        ),
        good=_block("{{ items | length }}"),
    ),
    Code(
        code="F419",
        name="conditional-definition",
        severity=Severity.ERROR,
        message="`{name}` is {what} in one branch and something else in another",
        meaning="Which branch runs is not known when compiling, and macros and namespaces exist only when compiling.",
        help="define it before the `if`",
        bad=_block(
            "{% if user == 'x' %}{% macro m() %}a{% endmacro %}{% else %}{% macro m() %}b{% endmacro %}{% endif %}{{ m() }}"
        ),
        good=_block("{% macro m() %}a{% endmacro %}{{ m() }}"),
    ),
    Code(
        code="F420",
        name="control-character-in-a-literal",
        severity=Severity.ERROR,
        message="this text holds {character}",
        meaning="A control character, a line separator, half of a surrogate pair or a control of the writing direction may not reach a prompt, however it is written.",
        help="delete the escape; `\\n` and `\\t` are fine, and an emoji stands for itself",
        bad=_block("Stars: {{ '\\ud83d\\ude00' }}"),
        good=_block("Stars: {{ '\\u2605' }}"),
    ),
)
