"""What an author reads: one fault, one message, at the place of the fault, and all of them in one run."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.diagnostics import Diagnostic
from support.projects import write_files

INPUTS = """\
inputs:
  name: {type: line, from: contact.name}
  title: {type: line, from: contact.title}
  lines: {type: list, of: line, from: message.metadata.lines}
  facts: {type: attributes, merge: [contact.attributes]}
"""
PROJECT = "kind: project\nname: example\nversion: 1.0.0\ncontext:\n  contact.title: {type: line, zone: session}\n"
BLOCK = "profiles/b.yaml"


def written(body: str) -> str:
    return "body: |\n" + "".join(f"  {line}\n" for line in body.split("\n"))


def check(root: Path, body: str, *, placed: bool = True, **more: str) -> list[Diagnostic]:
    """Check a project whose block `b` has this body; `more` are further files below `profiles`."""
    layout = "layout: {from: std, insert: {b: {after: instructions}}}\n" if placed else ""
    files = {
        "frieze.yaml": PROJECT,
        "profiles/a.yaml": f"kind: agent\nname: a\ninstructions: Help people.\n{layout}",
        BLOCK: f"kind: block\nname: b\nheading: B\n{INPUTS}{written(body)}",
        **{f"profiles/{name}.yaml": text for name, text in more.items()},
    }
    return [each for each in frieze.check(write_files(root, files)).diagnostics if each.code[:2] != "F7" or not placed]


def marked(root: Path, found: Diagnostic) -> str:
    line = (root / found.span.file).read_text(encoding="utf-8").split("\n")[found.span.line - 1]
    return line[found.span.column - 1 : found.span.end_column - 1]


@pytest.mark.parametrize(
    ("body", "code", "mark", "words"),
    [
        ("- x{% if name %}\nyes", "F401", "if name", "this `if` is never closed|write `{% endif %}`"),
        ("{% for x in lines %}\n{% if x %}\n{% endif %}\n", "F401", "for x in lines", "this `for` is never closed"),
        ("{% if name %}a{% else if title %}b{% endif %}", "F401", "else if", "write `elif`"),
        ("{% if name = 'x' %}a{% endif %}", "F401", "=", "a single `=`|write `==`"),
        ("{% for x in lines %}- {{ x.id }}\n{% endfor %}", "F519", "x.id", "`x` is one text|`of: {fields: {id: "),
        ("{% if name %}- {{ name.first }}{% endif %}", "F519", "name.first", "`name` is one text"),
        ("{% if name && title %}a{% endif %}", "F401", "&&", "`&&` is no operator|write `and`"),
        ("{% if name or !title %}a{% endif %}", "F401", "!", "write `not`"),
        ("{{ name ? 'a' : 'b' }}", "F401", "?", "write `a if condition else b`"),
        ("{{#if name}}a{{/if}}", "F401", "{{#", "a tag of Handlebars|write `{% if name %}`"),
        ("{% if name %}a{{/if}}", "F401", "{{/", "write `{% endif %}`"),
        ("{% if platform == 'slack' %}a{% endif %}", "F408", "platform", "`platform.name`"),
        ("{% if 'slack' == platform %}a{% endif %}", "F408", "platform", "`platform.name`"),
        ("{% if name == platform %}a{% endif %}", "F408", "platform", "`platform.name`"),
        ("- a {{ contact.name }}", "F402", "contact", "`name: {type: line, from: contact.name}`, and write `name`"),
        ("- a {{ shop }}", "F402", "shop", "`shop: {type: line, from: PATH}`; `frieze schema context` prints"),
        ("- a {{ nmae }}", "F402", "nmae", "did you mean `name`?"),
        ("- a {{ now }}", "F402", "now", "`now: {type: datetime, from: clock}`"),
        ("- a {{ today.strftime('%Y') }}", "F402", "today", "`today: {type: datetime, from: clock}`"),
        ("- a {{ data.city }}", "F402", "data", "`agent.data.city`"),
        ("{% for x in lines %}a{% endif %}", "F401", "endif", "the `for` of line|write `{% endfor %}`"),
        ("a{% endif %}", "F401", "endif", "no `if` is open"),
        ("{% if name is defned %}a{% endif %}", "F405", "defned", "did you mean `defined`"),
        ("ab {{ agent.data.city }}", "F406", "agent.data.city", "`agent.data` has no `city`; it has nothing|under `data:`"),
        ("{{ agent.nme }}", "F406", "agent.nme", "did you mean `name`"),
        ("ab {{ 1 // 0 }}", "F406", "1 // 0", "it divides by zero"),
        ("ab {{ '\\ud800' }}", "F420", "\\ud800", "U+D800"),
        ("ab {{ 'a' ~ '\\ud83d\\ude00' }}", "F420", "\\ud83d", "an emoji stands for itself"),
        ("ab {{ 'a\\0b' }}", "F420", "\\0", "U+0000 NUL"),
        ("ab {{ '\\\\0 \\x1b[31m' }}", "F420", "\\x1b", "U+001B"),
        ("ab {{ '\\u202e' }}", "F420", "\\u202e", "RIGHT-TO-LEFT OVERRIDE"),
        ("ab {{ '\\u2028' }}", "F420", "\\u2028", "LINE SEPARATOR"),
        ("{% include 'shared/legal.md' %}", "F411", "'shared/legal.md'", "body: {file: shared/legal.md}"),
        ("{% include 'emergncy' %}", "F411", "'emergncy'", "did you mean `emergency`"),
        ("{% include 'texts/emergency.md' %}", "F411", "'texts/emergency.md'", "did you mean `emergency`"),
        ("{% for i in range(99999999) %}x{% endfor %}", "F407", "", "this needs too many numbers"),
        ("{% for k, v in facts %}\n- Fact {{ k }}: {{ v }}\n{% endfor %}", "F519", "for k, v in facts", "write `facts | items`"),
    ],
)  # fmt: skip
def test_one_fault_is_one_message_at_its_place(tmp_path: Path, body: str, code: str, mark: str, words: str) -> None:
    emergency = "kind: block\nname: emergency\nbody: Call for help.\n"
    [found] = check(tmp_path, body, emergency=emergency)
    assert found.code == code
    assert not mark or marked(tmp_path, found) == mark
    for each in words.split("|"):
        assert each in f"{found.message}\n{found.help}"
    assert "Error" not in found.message


@pytest.mark.parametrize(
    ("when", "mark", "words"),
    [
        ("{{ name }}", "{{ ", "without `{{ }}`|write `name`"),
        ("not {{ name }} and title", "{{ ", "write `not name and title`"),
        ("{% if name %}", "{% if ", "write `name`"),
        ("name && title", "&&", "write `and`"),
        ("name = 'x'", "=", "write `==`"),
    ],
)
def test_a_condition_that_is_written_as_elsewhere(tmp_path: Path, when: str, mark: str, words: str) -> None:
    other = f'kind: block\nname: other\nbody: Hello.\nwhen: "{when}"\n{INPUTS}'
    found = [each for each in check(tmp_path, "Hello.", other=other) if each.code == "F401"]
    assert [marked(tmp_path, each) for each in found] == [mark]
    assert all(each in f"{found[0].message}\n{found[0].help}" for each in words.split("|"))


def test_nesting_that_is_too_deep_says_how_to_split_it(tmp_path: Path) -> None:
    [found] = check(tmp_path, "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}")
    assert (found.code, found.message.partition(" when")[0]) == ("F407", "this needs too much nesting")
    assert "split it" in found.help


@pytest.mark.parametrize("text", ["{{{{ {} }}}}", "{{% if 1 < -{} %}}x{{% endif %}}", "{{{{ [1, {}_0] }}}}"])
def test_a_number_that_is_too_long_to_be_read(tmp_path: Path, text: str) -> None:
    [found] = check(tmp_path, text.format("7" * 4301))
    assert found.message == "this needs too many digits when compiling; the limit is 4,300 in one number"
    assert marked(tmp_path, found) in {"7", "0"}


@pytest.mark.parametrize("body", ["{{ '%c' | format(55296) }}", "{{ ('%c' | format(27)) ~ platform.name }}"])
def test_a_computed_text_that_no_prompt_may_hold(tmp_path: Path, body: str) -> None:
    assert [each.code for each in check(tmp_path, body)] == ["F420"]


def test_each_expression_that_fails_is_found(tmp_path: Path) -> None:
    found = check(
        tmp_path, "{{ agent.nme }} {{ platform.nme }}\n{% if name %}x{% endif %}\n{{ 1 // 0 }} {{ model.nme }}"
    )
    assert [marked(tmp_path, each) for each in found] == ["agent.nme", "platform.nme", "1 // 0", "model.nme"]
    assert {each.code for each in found} == {"F406"}


def test_what_follows_a_failure_counts_for_nothing_else(tmp_path: Path) -> None:
    assert [each.code for each in check(tmp_path, "{{ 1 // 0 }} {{ name.upper() }} {{ name }}")] == ["F406"]


def test_faults_of_every_kind_in_one_run(tmp_path: Path) -> None:
    found = check(tmp_path, "- a {{ nme }}\n- b {{ name.upper() }}\n- c {{ title }}\n{{ name or 'x' }}")
    assert sorted(each.code for each in found) == ["F402", "F414", "F501", "F513"]


@pytest.mark.parametrize(
    "body",
    [
        "{% if nme %}- {{ name }}{% endif %}",
        "{% if not nme %}x{% else %}- {{ name }}{% endif %}",
        "{{ usr }} {{ name or 'x' }}",
        "{% for x in rows %}- {{ x.id }} {{ x }} {% for y in x %}{{ y }}{% endfor %}{% endfor %}",
        "{% set x = rows.first %}Name: {{ x }}",
        "{{ nme | upper ~ 'x' }}",
    ],
)
def test_an_unknown_name_draws_nothing_after_it(tmp_path: Path, body: str) -> None:
    assert {each.code for each in check(tmp_path, body)} == {"F402"}


@pytest.mark.parametrize("body", ["{{ name.upper() }} {{ name or 'x' }}", "{% set x = name.strip() %}{{ x }}- {{ x }}"])
def test_a_refused_method_draws_nothing_after_it(tmp_path: Path, body: str) -> None:
    assert [each.code for each in check(tmp_path, body)] == ["F414"]


def test_a_value_that_may_be_absent_says_where_it_is_declared(tmp_path: Path) -> None:
    [found] = check(tmp_path, "Dear {{ name }}")
    assert found.code == "F501"
    assert [(marked_at.span.line, marked_at.label) for marked_at in found.related] == [
        (5, "`name` is declared here, and need not be given")
    ]
    assert "`when: name` guards a whole block" in found.help


def test_instructions_have_no_when(tmp_path: Path) -> None:
    agent = f"kind: agent\nname: a\n{INPUTS}instructions: 'Dear {{{{ name }}}}'\n"
    files = {"frieze.yaml": PROJECT, "profiles/a.yaml": agent}
    found = [each for each in frieze.check(write_files(tmp_path, files)).diagnostics if each.code == "F501"]
    assert len(found) == 1
    assert "when:" not in found[0].help


@pytest.mark.parametrize(
    ("body", "codes"),
    [
        ("{{ nope.x() }}", ["F402"]),
        ("Dear {{ name }}", ["F501"]),
        ("{{ agent.nme }}", ["F406"]),
        ("{{ lines | first | upper }} {% if", ["F401"]),
        ("Dear {{ name or 'friend' }}", []),
    ],
)
def test_a_block_that_stands_nowhere_is_checked_too(tmp_path: Path, body: str, codes: list[str]) -> None:
    found = [each.code for each in check(tmp_path, body, placed=False)]
    assert [code for code in found if code[:2] != "F7"] == codes


def test_a_block_that_is_only_included_sees_the_names_of_others(tmp_path: Path) -> None:
    part = "kind: block\nname: part\nbody: 'Dear {{ who }}'\n"
    whole = "kind: block\nname: whole\nbody: \"{% set who = 'you' %}{% include 'part' %}\"\n"
    found = check(tmp_path, "{% set who = 'all' %}{% include 'part' %}", part=part)
    assert found == []
    found = check(tmp_path / "2", "x", part=part, whole=whole)
    assert found == []


def test_what_includes_a_broken_block_is_silent(tmp_path: Path) -> None:
    circle = {name: f"kind: block\nname: {name}\nextends: {base}\n" for name, base in (("c", "d"), ("d", "c"))}
    assert [each.code for each in check(tmp_path, "{% include 'c' %}", **circle)] == ["F313"]
