"""Comparisons with a text that what is compared can never be (F704)."""

from __future__ import annotations

import itertools
import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment

import frieze
from frieze.checks import share_notes
from frieze.checks.unknown_value import unknown_value, value_notes
from frieze.checks.values import allowed, values_of
from frieze.diagnostics import Diagnostic
from frieze.freeze import freeze_project
from frieze.freeze.space import Space
from frieze.freeze.templates import Templates
from frieze.pipeline import CheckResult
from frieze.profiles import load_graph
from frieze.resources import profiles_folder
from frieze.template import parse
from frieze.template.comparisons import comparisons
from support.projects import write_files

EXAMPLES = Path(__file__).parents[2] / "examples"

OWN: Mapping[str, str] = {
    "frieze.yaml": """\
kind: project
name: p
context:
  order.state: {type: choice, options: [open, closed], zone: session, description: How it stands.}
  order.lines:
    type: list
    of: {fields: {kind: {type: choice, options: [book, toy]}, label: {type: line}}}
    zone: session
    description: What was ordered.
""",
    "profiles/desk.yaml": "kind: platform\nname: desk\nlanguage: pt-br\nmarkup: none\ntimezone: Europe/Lisbon\n",
    "profiles/hall.yaml": "kind: platform\nname: hall\nlanguages: [ja]\n",
    "profiles/tiny.yaml": "kind: model\nname: tiny\nvendor: home-made\n",
    "profiles/calm.yaml": "kind: personality\nname: calm\ntext: Be calm.\n",
    "profiles/refunds.yaml": "kind: skill\nname: refunds\ntext: Pay back.\ndescription: Pays back.\nwhen_to_use: Whenever.\n",
    "profiles/lookup.yaml": "kind: tool\nname: lookup\ndescription: Looks up.\n",
    "profiles/other.yaml": "kind: agent\nname: other\ninstructions: Hi.\nknowledge_bases: [prices]\n",
}
AGENT = """\
kind: agent
name: helper
permissions: std/coding
allows: {platforms: [desk, std/slack], models: [tiny]}
defaults: {mode: review, platform: desk, model: tiny, personality: calm}
skills: [refunds]
tools: [lookup]
knowledge_bases: [handbook]
attachments: {read-pdf: PDF files}
data: {team: blue}
zone: session
inputs:
  state: {type: choice, options: [open, closed], from: order.state}
  states: {type: list, of: {type: choice, options: [open, closed]}, default: [open]}
  lines: {type: list, of: {fields: {kind: {type: choice, options: [book, toy]}, label: {type: line}}}, from: order.lines}
  note: {type: line, from: contact.name}
instructions: |
"""


def checked(root: Path, lines: list[str], **files: str) -> CheckResult:
    text = AGENT + "".join(f"  {line}\n" for line in lines)
    own = {**OWN, "profiles/helper.yaml": text, **{f"profiles/{name}.yaml": given for name, given in files.items()}}
    return frieze.check(write_files(root, own))


def findings(result: CheckResult) -> list[Diagnostic]:
    """Return what is found, but for inputs that a short example does not use."""
    return [entry for entry in result.diagnostics if entry.code != "F702"]


def facts(entry: Diagnostic) -> tuple[str, str, str, str]:
    given = dict(entry.args)
    return given["part"], given["never"], given["text"], given["so"].removeprefix("; this is always ")


def tag(condition: str) -> str:
    return f"{{% if {condition} %}}a{{% endif %}}"


FALSE, TRUE = "false", "true"

FAULTS: list[tuple[str, tuple[str, str, str, str], str]] = [
    ("mode.name == 'implment'", ("mode.name", "is never", "implment", FALSE), "`implement`"),
    ("mode['name'] == 'implment'", ("mode.name", "is never", "implment", FALSE), "`implement`"),
    ('platform.name == "slak"', ("platform.name", "is never", "slak", FALSE), "`slack`"),
    ("'slak' == platform.name", ("platform.name", "is never", "slak", FALSE), "`slack`"),
    ("platform.name != 'slak'", ("platform.name", "is never", "slak", TRUE), "`slack`"),
    ("not platform.name == 'std/slack'", ("platform.name", "is never", "std/slack", FALSE), "`slack`"),
    ("model.name in ('tinny', 'tiny')", ("model.name", "is never", "tinny", ""), "`tiny`"),
    ("model.name in ['tinny']", ("model.name", "is never", "tinny", FALSE), "`tiny`"),
    ("model.name not in ('tinny',)", ("model.name", "is never", "tinny", TRUE), "`tiny`"),
    ("model.name in {'tinny': 1}", ("model.name", "is never", "tinny", FALSE), "`tiny`"),
    ("model.vendor == 'antropic'", ("model.vendor", "is never", "antropic", FALSE), "`anthropic`"),
    ("personality.name is eq 'calmm'", ("personality.name", "is never", "calmm", FALSE), "`calm`"),
    ("personality.name is not equalto('calmm')", ("personality.name", "is never", "calmm", FALSE), "`calm`"),
    ("personality.name is ne('calmm')", ("personality.name", "is never", "calmm", TRUE), "`calm`"),
    ("personality.name is in ['calmm']", ("personality.name", "is never", "calmm", FALSE), "`calm`"),
    ("agent.name == 'helpr'", ("agent.name", "is never", "helpr", FALSE), "`helper`"),
    ("audience.name == 'groups'", ("audience.name", "is never", "groups", FALSE), "`group`"),
    ("agent.interaction == 'chatt'", ("agent.interaction", "is never", "chatt", FALSE), "`chat`"),
    ("platform.markup == 'markdown'", ("platform.markup", "is never", "markdown", FALSE), "`markdownv2`"),
    ("platform.markup == ''", ("platform.markup", "is never", "", FALSE), "it can be `commonmark`"),
    ("platform.limits.length_unit == 'utf-8'", ("platform.limits.length_unit", "is never", "utf-8", FALSE), "`utf16`"),
    ("'nam' in platform.gives", ("platform.gives", "never holds", "nam", FALSE), "`name`"),
    ("'nam' not in platform.gives", ("platform.gives", "never holds", "nam", TRUE), "`name`"),
    ("platform.language == 'pt-BR'", ("platform.language", "is never", "pt-BR", FALSE), "`pt-br`"),
    ("platform.language == 'portuguese'", ("platform.language", "is never", "portuguese", FALSE), "it can be"),
    ("'JA' in platform.languages", ("platform.languages", "never holds", "JA", FALSE), "`ja`"),
    (
        "platform.timezone == 'Europe/Lisabon'",
        ("platform.timezone", "is never", "Europe/Lisabon", FALSE),
        "`Europe/Lisbon`",
    ),
    ("mode.policy == 'codng'", ("mode.policy", "is never", "codng", FALSE), "`coding`"),
    (
        "'psh' in mode.requires_confirmation_for",
        ("mode.requires_confirmation_for", "never holds", "psh", FALSE),
        "`push`",
    ),
    ("'lokup' in agent.tools", ("agent.tools", "never holds", "lokup", FALSE), "`lookup`"),
    ("'handbok' in agent.knowledge_bases", ("agent.knowledge_bases", "never holds", "handbok", FALSE), "`handbook`"),
    ("'read-pfd' in agent.attachments", ("agent.attachments", "never holds", "read-pfd", FALSE), "`read-pdf`"),
    (
        "'refnds' in agent.skills | map(attribute='name')",
        ("agent.skills[].name", "never holds", "refnds", FALSE),
        "`refunds`",
    ),
    (
        "agent.skills | selectattr('name', 'equalto', 'refnds') | list",
        ("agent.skills[].name", "is never", "refnds", ""),
        "`refunds`",
    ),
    ("agent.tools | select('in', ['lokup']) | list", ("agent.tools[]", "is never", "lokup", ""), "`lookup`"),
    ("(agent.tools | first) == 'lokup'", ("agent.tools[]", "is never", "lokup", FALSE), "`lookup`"),
    ("platform.name | lower == 'slak'", ("platform.name", "is never", "slak", FALSE), "`slack`"),
    ("platform.name | upper == 'slack'", ("platform.name", "is never", "slack", FALSE), ""),
    ("platform.name.startswith('sla-')", ("platform.name", "never begins with", "sla-", FALSE), "it can be"),
    ("platform.name.endswith(('-x',))", ("platform.name", "never ends with", "-x", FALSE), "it can be"),
    ("'slak' in platform.name", ("platform.name", "never holds", "slak", FALSE), "it can be"),
    ("{'desk': 1, 'slack': 2, 'slak': 3}[platform.name]", ("platform.name", "is never", "slak", ""), "`slack`"),
    ("{'slak': 1, 'slack': 2}.get(platform.name, 3) == 3", ("platform.name", "is never", "slak", ""), "`slack`"),
    ("true and (false or (platform.name == 'slak'))", ("platform.name", "is never", "slak", FALSE), "`slack`"),
    ("state == 'opn'", ("state", "is never", "opn", FALSE), "`open`"),
    ("'opn' in states", ("states", "never holds", "opn", FALSE), "`open`"),
]
"""A condition, what is said of it, and what the advice names."""

RIGHT = [
    "mode.name == 'implement'",
    "mode.name in ('review', 'answer')",
    "platform.name == 'hall' or platform.name == 'telegram'",
    "platform.markup == 'discord'",
    "platform.language == 'de' or platform.language == 'pt-br' or 'fr' in platform.languages",
    "platform.timezone == 'Asia/Tokyo'",
    "model.vendor in ['home-made', 'openai', 'google']",
    "model.name == 'claude-sonnet-4-6'",
    "personality.name != 'none'",
    "agent.name == 'other'",
    "'prices' in agent.knowledge_bases or 'handbook' in agent.knowledge_bases",
    "'run_shell' in agent.tools",
    "agent.data.team == 'red'",
    "agent.description == 'anything' or agent.description == ''",
    "personality.text == 'Be calm!'",
    "platform.name == none or platform.name == 3",
    "platform.name == note or note == 'anyone'",
    "platform.name ~ 'x' == 'deskx'",
    "platform.name | default('x') == 'x'",
    "(platform.name or 'nowhere') == 'nowhere'",
    "platform.name | replace('d', 't') == 'tesk'",
    "platform.name | lower == 'none'",
    "platform.name | upper == 'DESK'",
    "platform.name.startswith('de') or platform.name.endswith(('sk', 'll'))",
    "'es' in platform.name",
    "platform.name in 'desk or hall'",
    "platform.name < 'm'",
    "state == 'open' or 'closed' in states",
    "{'desk': 1}.get(platform.name)",
    "'[' in agent.tools | string",
]


def test_every_shape_is_found_where_it_stands(tmp_path: Path) -> None:
    result = checked(tmp_path, [tag(condition) for condition, _, _ in FAULTS])
    first = AGENT.count("\n") + 1
    lines = result.texts["profiles/helper.yaml"].split("\n")
    told = {entry.span.line - first: entry for entry in result.diagnostics if entry.code == "F704"}
    assert [entry.message for entry in findings(result) if entry.code != "F704"] == []
    assert len(told) == len(findings(result))
    for number, (condition, wanted, near) in enumerate(FAULTS):
        assert number in told, condition
        entry = told[number]
        assert facts(entry) == wanted, condition
        assert near in entry.help, condition
        line = lines[entry.span.line - 1]
        assert line[entry.span.column - 1 : entry.span.end_column - 1].strip("'\"") == wanted[2], condition


def test_what_some_member_is_or_anything_can_be_is_left_alone(tmp_path: Path) -> None:
    result = checked(tmp_path, [tag(condition) for condition in RIGHT])
    assert [entry.message for entry in findings(result)] == []


LOOPS = [
    ("{% for skill in agent.skills %}{% if skill.name == 'refnds' %}a{% endif %}{% endfor %}", "refnds"),
    ("{% for line in lines %}{% if line.kind == 'bok' %}a{% endif %}{% endfor %}", "bok"),
    ("{% for one in states %}{% if one == 'opn' %}a{% endif %}{% endfor %}", "opn"),
    ("{% for one in agent.tools | sort if one == 'lokup' %}a{% endfor %}", "lokup"),
    ("{% set m = mode.name %}{% if m == 'implment' %}a{% endif %}", "implment"),
    ("{{ 'a' if platform.name == 'slak' else 'b' }}", "slak"),
    ("{% if false %}{% elif platform.name == 'slak' %}a{% endif %}", "slak"),
    ("{% set m = 'a' if platform.name == 'slak' else 'b' %}{{ m }}", "slak"),
]

NO_LOOPS = [
    "{% for line in lines %}{% if line.label == 'bok' %}a{% endif %}{% endfor %}",
    "{% for tool in agent.tools %}{% for tool in lines %}{% if tool.label == 'x' %}a{% endif %}{% endfor %}{% endfor %}",
    "{% set m = mode.name %}{% set m = 'x' %}{% if m == 'x' %}a{% endif %}",
    "{% set state = 'opn' if note else 'cls' %}{% if state == 'opn' %}a{% endif %}",
    "{% set states = ['opn'] %}{% if 'opn' in states %}a{% endif %}",
    "{% if note %}{% for state in agent.tools %}{{ state }}{% endfor %}{% if state == 'open' %}a{% endif %}{% endif %}",
    "{% set tools = agent.tools | string %}{% if '[' in tools %}a{% endif %}",
    "{% set kind = 'b' if note else 'c' %}{% if kind == 'b' %}a{% endif %}",
    "{# {% if platform.name == 'slak' %} #}",
    "{% raw %}{% if platform.name == 'slak' %}{% endraw %}",
    "Compare platform.name == 'slak' by hand.",
]


@pytest.mark.parametrize(("line", "text"), LOOPS)
def test_names_that_a_template_gives_are_followed(tmp_path: Path, line: str, text: str) -> None:
    result = checked(tmp_path, [line])
    assert [(entry.code, dict(entry.args).get("text")) for entry in findings(result)] == [("F704", text)]


def test_names_that_a_template_gives_twice_or_to_something_else_are_not(tmp_path: Path) -> None:
    for number, line in enumerate(NO_LOOPS):
        result = checked(tmp_path / str(number), [line])
        assert [entry.message for entry in findings(result)] == [], line


BLOCK = "kind: block\nname: b\nwhen: WHEN\ninputs:\n  x: {type: line, from: [{path: contact.name, when: SOURCE}], default: y}\nbody: BODY\n"
FINE = {"WHEN": "mode.can_edit", "SOURCE": "contact.name", "BODY": "'{{ x | quoted }}'"}


@pytest.mark.parametrize(
    ("place", "written"),
    [
        ("WHEN", "mode.name == 'implment'"),
        ("SOURCE", "order.state == 'opn'"),
        ("SOURCE", "contact.name and mode.name == 'implment'"),
        ("BODY", "\"{% if mode.name == 'implment' %}{{ x | quoted }}{% endif %}\""),
    ],
)
@pytest.mark.parametrize("placed", [True, False])
def test_blocks_and_conditions(tmp_path: Path, place: str, written: str, placed: bool) -> None:
    text = BLOCK
    for name, fine in FINE.items():
        text = text.replace(name, written if name == place else fine)
    layout = "kind: agent\nname: third\ninstructions: Hi.\nlayout: {insert: {b: {at: last}}}\npermissions: std/coding\n"
    files = {"b": text, **({"third": layout} if placed else {})}
    found = [entry for entry in checked(tmp_path, ["Hi."], **files).diagnostics if entry.code == "F704"]
    assert [(entry.span.file, dict(entry.args)["text"]) for entry in found] == [
        ("profiles/b.yaml", "opn" if "'opn'" in written else "implment")
    ]


def test_base_instructions_and_files_beside_profiles(tmp_path: Path) -> None:
    model = "kind: model\nname: tiny\nvendor: home-made\ntemplate: {file: tiny.md}\n"
    write_files(
        tmp_path, {"profiles/tiny.md": "Be brief.\n{% if personality.name == 'calmm' %}\nBe calm.\n{% endif %}\n"}
    )
    result = checked(tmp_path, ["Hi."], tiny=model)
    assert [(entry.code, entry.span.file, entry.span.line) for entry in result.diagnostics if entry.code == "F704"] == [
        ("F704", "profiles/tiny.md", 2)
    ]


MANY = "kind: agent\nname: NAME\ninstructions: |\n  You are {{ agent.name }}.\n  {% if agent.name == 'OTHER' %}\n  Hi.\n  {% endif %}\n"


@pytest.mark.parametrize("jobs", [1, 2])
def test_other_agents_come_and_go_with_a_cache(tmp_path: Path, jobs: int) -> None:
    from frieze.cache import Store

    store = Store(tmp_path / "cache")
    root = tmp_path / "project"
    names = [f"agent-{number}" for number in range(8)]
    texts = {f"profiles/{name}.yaml": MANY.replace("NAME", name).replace("OTHER", "agent-3") for name in names}
    write_files(root, {"frieze.yaml": "kind: project\nname: p\n", **texts})

    def found(**more: Any) -> list[tuple[str, str]]:
        result = frieze.pipeline.check(root, jobs=jobs, **more)
        return [(entry.code, entry.span.file) for entry in result.diagnostics]

    assert found(cache=store) == found() == []
    (root / "profiles/agent-3.yaml").unlink()
    missing = [("F704", f"profiles/{name}.yaml") for name in names if name != "agent-3"]
    assert sorted(found(cache=store)) == sorted(found()) == missing
    write_files(root, {"profiles/again.yaml": texts["profiles/agent-3.yaml"]})
    assert found(cache=store) == found() == []


def test_a_member_that_is_declared_later_counts_with_a_cache(tmp_path: Path) -> None:
    from frieze.cache import Store

    store = Store(tmp_path / "cache")
    text = MANY.replace("agent.name == 'OTHER'", "platform.name == 'kiosk'")
    root = write_files(
        tmp_path / "project",
        {"frieze.yaml": "kind: project\nname: p\n", **{f"profiles/{n}.yaml": text.replace("NAME", n) for n in "abc"}},
    )

    def found() -> list[str]:
        return [entry.code for entry in frieze.pipeline.check(root, cache=store).diagnostics]

    assert found() == ["F704"] * 3
    write_files(root, {"profiles/kiosk.yaml": "kind: platform\nname: kiosk\n"})
    assert found() == []
    (root / "profiles/kiosk.yaml").unlink()
    assert found() == ["F704"] * 3


def test_a_library_is_written_for_others(tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(profiles_folder(), library)
    wrong = "{% if platform.name == 'slak' %}\n  Hi.\n  {% endif %}\n"
    write_files(
        tmp_path,
        {
            "library/blocks/mine.yaml": f"kind: block\nname: mine\nbody: |\n  {wrong}",
            "library/blocks/base.yaml": f"kind: agent\nname: base\ninstructions: |\n  {wrong}",
            "own/frieze.yaml": "kind: project\nname: p\n",
            "own/profiles/a.yaml": "kind: agent\nname: a\nextends: std/base\nlayout: {insert: {mine: {at: last}}}\n",
            "own/profiles/b.yaml": f"kind: block\nname: mine-too\nextends: std/mine\nbody: |\n  {wrong}",
        },
    )
    graph, faults = load_graph(tmp_path / "own", library=library)
    assert graph is not None
    assert faults == []
    frozen, faults = freeze_project(graph)
    assert faults == []
    assert [(entry.code, entry.span.file) for entry in unknown_value(frozen)] == [("F704", "profiles/b.yaml")]


def test_what_is_found_in_a_share_is_kept_with_it(tmp_path: Path) -> None:
    own = {f"profiles/{name}.yaml": MANY.replace("NAME", name).replace("OTHER", "c") for name in "ab"}
    graph, _ = load_graph(write_files(tmp_path, {"frieze.yaml": "kind: project\nname: p\n", **own}))
    assert graph is not None
    frozen, _ = freeze_project(graph)
    assert sorted(frozen.shares) == ["a", "b"]
    for name, share in frozen.shares.items():
        instructions = graph.agents[name].instructions
        assert instructions is not None
        kept = share_notes(frozen.space, share)["values"]
        assert kept == value_notes(frozen.space, instructions)
        assert [row[3] for row in kept] == ["c"]
        assert json.loads(json.dumps(kept)) == kept


def test_all_that_the_library_compares_with_is_there(tmp_path: Path) -> None:
    graph, faults = load_graph(write_files(tmp_path, dict(OWN)))
    assert graph is not None
    assert faults == []
    space = Space.of(graph, Templates(graph))
    values = values_of(space)
    seen = 0
    for block in graph.blocks.values():
        for text in (block.body, block.when):
            tree = (
                parse(text.value if text is block.body else f"{{{{ {text.value} }}}}", name="x").tree if text else None
            )
            for each in comparisons(tree) if tree else ():
                known = allowed(each.path, block.inputs, values)
                seen += known is not None
                assert known is None or each.text in known, (block.name, each)
    assert seen > 3, "the library compares with names, and all of them are there"


NAMES = ("desk", "hall", "slack", "Desk", "des", "none", "")
SHAPES = (
    "{part} == {text!r}",
    "{text!r} != {part}",
    "{part} in ({text!r},)",
    "{part} not in [{text!r}]",
    "{part} is eq({text!r})",
    "{part}|lower == {text!r}",
    "{part}|upper|lower == {text!r}",
    "{part}.startswith({text!r})",
    "{part}.endswith({text!r})",
    "{text!r} in {part}",
    "{text!r} not in {part}",
)


def test_what_is_said_is_so_and_nothing_else_is(tmp_path: Path) -> None:
    """Compare with Jinja2's own answers for every platform that there is."""
    pairs = list(itertools.product(SHAPES, NAMES))
    conditions = [shape.format(part="platform.name", text=text) for shape, text in pairs]
    result = checked(tmp_path, [tag(condition) for condition in conditions])
    graph, _ = load_graph(tmp_path)
    assert graph is not None
    first = AGENT.count("\n") + 1
    told = {entry.span.line - first: facts(entry)[3] for entry in result.diagnostics if entry.code == "F704"}
    environment = Environment()
    for number, condition in enumerate(conditions):
        answers = {bool(environment.compile_expression(condition)(platform=row)) for row in graph.members["platform"]}
        if "|" in condition:
            answers |= {bool(environment.compile_expression(condition)(platform={"name": None}))}
        wanted = str(answers == {True}).lower() if len(answers) == 1 else None
        # A text that every name holds or begins with is no slip.
        if pairs[number][1] == "" and ("with(" in condition or " in platform" in condition):
            wanted = None
        assert told.get(number) == wanted, (condition, answers)


@pytest.mark.parametrize("name", ["minimal", "support-desk", "coding-agent"])
def test_the_examples_say_nothing_of_names(name: str) -> None:
    assert frieze.check(EXAMPLES / name).diagnostics == ()


def test_all_of_the_library_together_says_nothing_of_names(tmp_path: Path) -> None:
    def names(kind: str) -> str:
        return ", ".join(sorted(f"std/{path.stem}" for path in (profiles_folder() / kind).glob("*.yaml")))

    for policy in ("coding", "customer-support", "full-access", "read-only"):
        agent = (
            f"kind: agent\nname: a\ninstructions: Hi.\npermissions: std/{policy}\nlayout: std/coding\nrules: [{names('rules')}]\n"
            f"tools: [{names('tools')}]\nallows: {{platforms: [{names('platforms')}], personalities: [std/none, std/friendly]}}\n"
        )
        root = write_files(tmp_path / policy, {"frieze.yaml": "kind: project\nname: p\n", "profiles/a.yaml": agent})
        codes = {entry.code for entry in frieze.check(root).diagnostics}
        assert not codes & {"F312", "F704", "F732", "F831", "F837", "F852", "F853"}, (policy, codes)
