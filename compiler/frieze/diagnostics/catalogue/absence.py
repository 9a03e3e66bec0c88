"""F501 to F509: values that may be absent."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

_BLOCK = """kind: block
name: greeting
heading: Greeting
inputs:
  name: {type: line, from: contact.name}
"""

ENTRIES: tuple[Code, ...] = (
    Code(
        "F501",
        "may-be-absent",
        Severity.ERROR,
        "`{subject}` may be absent here{when}",
        "An input without `required` or `default` is absent when the request does not give it, and an absent value "
        "cannot be printed. The conditions around this place do not make sure that the value is there; the sentence names a case in which it "
        "is not. Guards in other blocks do not count: a block that needs a value as a whole says so in `when`.",
        "guard it with `{{% if {subject} %}}`",
        bad=_BLOCK + 'body: "Name: {{ name }}"\n',
        good=_BLOCK + 'body: "{% if name %}Name: {{ name }}{% endif %}"\n',
    ),
    Code(
        "F502",
        "needs-a-value",
        Severity.ERROR,
        "{use} needs `{subject}`, which may be absent here{when}",
        "Filters, operators, subscripts and most tests need a value to work on. Only conditions, `is defined`, `==`, "
        "`!=`, `default`, a loop and `length` of a list know what to do when there is none.",
        "guard this use with `{{% if {subject} %}}`",
        bad=_BLOCK + "body: \"Name: {{ name | upper | default('friend') }}\"\n",
        good=_BLOCK + "body: \"Name: {{ name | default('friend') | upper }}\"\n",
    ),
    Code(
        "F503",
        "too-involved",
        Severity.ERROR,
        "whether `{subject}` is present here is too involved to prove",
        "The proof tries the combinations of the conditions on the way to this place and gives up after ten thousand. "
        "It comes up only where dozens of independent conditions decide about one value.",
        "guard it directly with `{{% if {subject} %}}`",
    ),
    Code(
        "F504",
        "may-be-empty",
        Severity.ERROR,
        "`{subject}` may be an empty text here, and leave `{label}` without a value{when}",
        "`trim`, `replace`, slices and `join` can leave nothing of a text that is present. Behind a label on the same "
        "line the result needs a guard of its own.",
        "guard the whole line with `{{% if {subject} %}}`",
        bad=_BLOCK + "body: \"{% if name %}Name: {{ name | replace('x', '') }}{% endif %}\"\n",
        good=_BLOCK
        + "body: \"{% if name and name | replace('x', '') %}Name: {{ name | replace('x', '') }}{% endif %}\"\n",
    ),
    Code(
        "F506",
        "zero-is-a-value",
        Severity.ERROR,
        "`{subject}` is a number: this condition would take 0 for missing",
        "0 is a value: the equator has the latitude 0. A condition on a number says what it means.",
        "write `{subject} is defined`, or compare it, as in `{subject} > 0`",
        bad="""kind: block
name: place
heading: Place
inputs:
  latitude: {type: latitude, from: message.metadata.latitude}
body: "{% if latitude %}Latitude: {{ latitude }}{% endif %}"
""",
        good="""kind: block
name: place
heading: Place
inputs:
  latitude: {type: latitude, from: message.metadata.latitude}
body: "{% if latitude is defined %}Latitude: {{ latitude }}{% endif %}"
""",
    ),
)
