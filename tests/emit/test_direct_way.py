"""Requests whose texts are clean take a quick way, through generated functions and through closures: the exact readers
and the interpreter must give the same texts, notes and errors, whatever a request holds."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import frieze.pipeline
from frieze.emit import write_bundle
from frieze.runtime import Bundle
from support.projects import write_files
from support.values import CALM, values

NOW = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
PROJECT = """\
kind: project
name: direct-way
version: 1.0.0
context:
  guest.name: {type: line, zone: session, trust: user, description: A name.}
  guest.nick: {type: line, zone: session, trust: user, description: A short name.}
  guest.more: {type: attributes, zone: session, trust: user, description: Anything else.}
  account.name: {type: line, zone: session, trust: user, description: The account's name.}
  stay.room.number: {type: line, zone: session, trust: user, description: A room.}
  stay.nights: {type: integer, zone: session, trust: service, description: Nights.}
  stay.late: {type: boolean, zone: session, trust: service, description: Whether somebody comes late.}
  tags: {type: list, of: line, zone: session, trust: user, description: Words.}
  plans:
    type: list
    of: {fields: {name: {type: line, max_length: 12}, when: {type: line}}}
    zone: session
    trust: user
    description: What is planned.
"""
AGENT = """\
kind: agent
name: helper
defaults: {platform: api, model: gemma-3-4b-it, personality: none}
layout: small
inputs:
  name: {type: line, from: [guest.name, account.name], absent_values: [anonymous]}
  nick: {type: line, from: guest.nick, max_length: 5, default: friend}
  room: {type: line, from: stay.room.number, required: true}
  nights: {type: integer, from: stay.nights}
  colour: {type: line, from: guest.more.colour}
  tags: {type: list, of: line, from: tags}
  plans:
    type: list
    of: {fields: {name: {type: line, max_length: 12, required: true}, when: {type: line, required: true}}}
    from: plans
    max_items: 4
zone: session
instructions: |
  Room {{ room }}, {{ nick }}.
  {% if name == 'Aiko' %}
  It is {{ name }} again.
  {% elif name %}
  It is {{ name }}, said {{ name | quoted }}.
  {% endif %}
  {% if nights is defined %}
  Nights: {{ nights }}.
  {% endif %}
  {% if colour %}
  The colour is {{ colour }}.
  {% endif %}
  {% for tag in tags %}
  - tag: {{ tag }}!
  {% else %}
  No tags.
  {% endfor %}
  {% for plan in plans %}
  * plan: {{ plan.name }} at {{ plan.when }}, {{ plan.name }}
  {% endfor %}
"""
NOTE = """\
kind: block
name: note
heading: Note
when: plans and name
inputs:
  name: {type: line, from: [account.name, guest.name]}
  plans:
    type: list
    of: {fields: {name: {type: line, max_length: 12, required: true}, when: {type: line, required: true}}}
    from: plans
body: |
  For {{ name or 'nobody' }}:
  {% for plan in plans %}
  {% if plan.when == 'noon' %}
  + at noon, {{ plan.name }}
  {% else %}
  + later, {{ plan.name }}
  {% endif %}
  {% endfor %}
"""
STRICT = """\
kind: agent
name: strict
defaults: {platform: api, model: gemma-3-4b-it, personality: none}
layout: smaller
inputs:
  name: {type: line, from: [account.name, guest.name]}
  late: {type: boolean, from: stay.late, required: true}
zone: session
instructions: |
  Comes {% if late %}late{% else %}early{% endif %}, {{ name or 'a friend' }}.
"""
WHOLE = """\
kind: agent
name: whole
defaults: {platform: api, model: gemma-3-4b-it, personality: none}
layout: smaller
inputs:
  name: {type: line, from: [account.name, guest.name]}
zone: session
instructions: |
  {% if name %}
  It is {{ name }}.
  {% endif %}
"""
PACKED = """\
kind: block
name: packed
tag: packed
inputs:
  tags: {type: list, of: line, from: tags}
body: |
  To be packed:
  {% for tag in tags %}
  - take {{ tag }}!

  {% endfor %}
"""
LAYOUT = """\
kind: layout
name: small
blocks: {instructions: {}, note: {}, packed: {}}
tags: {notices: turn_notices, context: turn_context}
opening: What follows is data.
"""

CLEAN = [
    "Aiko",
    "Zoë & Söhne",
    "noon",
    "a <3 b",
    "&lt;",
    "田中 愛子",
    "at 10:30",
    "R&D;",
    "x > y",
    "Packing",
    "anonymous",
]
ODD = [
    "",
    " Aiko",
    "Aiko ",
    "a  b",
    "a\nb",
    "a\u2028b",
    "e\u0301",
    "\u202eabc",
    "null",
    "GET OUT NOW ALL OF YOU",
    "!!",
    "../x",
    "see http://x.example",
    "[x](y)",
    "![x][y]",
    "<img>",
    "sk-0123456789abcdefghij",
    "a" * 201,
    "\ud800",
]


class Loud(str):
    """A text that prints as another one."""

    __slots__ = ()

    def __str__(self) -> str:
        return "LOUD"

    def __format__(self, _: str) -> str:
        return "LOUD"


LINES = st.sampled_from(CLEAN) | st.sampled_from(CLEAN) | st.sampled_from(CLEAN) | st.sampled_from(ODD)
ANY = LINES | LINES | LINES | st.none() | values() | st.builds(Loud, LINES)
ROWS = st.lists(
    st.fixed_dictionaries({"name": LINES, "when": LINES}, optional={"x": ANY})
    | st.dictionaries(LINES, ANY, max_size=2),
    max_size=5,
)


def section(**members: Any) -> st.SearchStrategy[Any]:
    """Draw a section with some of these members, seldom with another one, or something else."""
    right = st.fixed_dictionaries({}, optional=members)
    return st.one_of(right, right, right, right, st.fixed_dictionaries({"other": ANY}, optional=members), ANY)


CONTEXTS = st.fixed_dictionaries(
    {
        "stay": section(
            room=st.fixed_dictionaries({"number": LINES}) | section(number=ANY), nights=st.integers(0, 9) | ANY
        )
    },
    optional={
        "guest": section(name=ANY, nick=ANY, more=section(colour=ANY)),
        "account": section(name=ANY),
        "tags": st.lists(LINES, max_size=4) | ANY,
        "plans": ROWS | ANY,
        "other": ANY,
    },
)


@pytest.fixture(scope="module")
def ways(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Any]]:
    """Return the prompt of the emitted package, that of the opened bundle, and the same with nothing but the exact way."""
    root = tmp_path_factory.mktemp("direct")
    files = {
        "frieze.yaml": PROJECT,
        "profiles/helper.yaml": AGENT,
        "profiles/alone.yaml": AGENT.replace("helper", "alone")
        .replace("small", "smaller")
        .replace("{{ plan.name }}\n", "{{ plan.name }}.\n"),
        "profiles/smaller.yaml": LAYOUT.replace("small", "smaller").replace(", note: {}, packed: {}", ""),
        "profiles/strict.yaml": STRICT,
        "profiles/whole.yaml": WHOLE,
        "profiles/note.yaml": NOTE,
        "profiles/packed.yaml": PACKED,
        "profiles/small.yaml": LAYOUT,
    }
    result = frieze.pipeline.compile(write_files(root / "project", files))
    assert result.bundle is not None, result.diagnostics
    write_bundle(result.bundle, root / "dist" / result.bundle.package)
    sys.path.insert(0, str(root / "dist"))
    importlib.invalidate_caches()
    package = importlib.import_module("direct_way")
    prompts: dict[str, Any] = {}
    for agent, suffix in (("helper", ""), ("alone", " alone"), ("strict", " strict"), ("whole", " whole")):
        prompts |= {
            f"generated{suffix}": package.prompt(agent),
            f"closures{suffix}": Bundle.from_files(result.bundle.files).prompt(agent),
            f"exact{suffix}": Bundle.from_files(result.bundle.files).prompt(agent),
        }
        prompts[f"exact{suffix}"]._direct = None
    yield prompts
    sys.path.remove(str(root / "dist"))
    for loaded in [name for name in sys.modules if name.split(".")[0] == "direct_way"]:
        del sys.modules[loaded]


def seen(prompt: Any, context: Any) -> tuple[Any, ...]:
    """Return all that a render gives, or the error; classes of the package's own resolver by name."""
    try:
        result = prompt.render(context, NOW)
    except Exception as error:  # noqa: BLE001 - all ways must raise the same, whatever it is
        return type(error).__name__, str(error)
    return result.text, [part.text for part in result.parts], [tuple(note) for note in result.notes]


@settings(CALM, max_examples=400)
@given(context=CONTEXTS)
def test_all_ways_give_the_same(ways: dict[str, Any], context: dict[str, Any]) -> None:
    before = repr(context)
    for blocks in ("", " alone"):
        expected = seen(ways["exact" + blocks], context)
        assert seen(ways["generated" + blocks], context) == expected
        assert seen(ways["closures" + blocks], context) == expected
    assert repr(context) == before


PLANS = [{"name": "Dinner", "when": "noon"}, {"name": "a <3 b", "when": "later"}]
FULL = {
    "guest": {"name": "Zoë <3", "nick": "Zo", "more": {"colour": "blue > red"}},
    "account": {"name": "Acme"},
    "stay": {"room": {"number": "12"}, "nights": 0},
    "tags": ["a", "b & c", "&lt;"],
    "plans": PLANS,
}


@pytest.mark.parametrize("way", ["generated", "closures", "generated alone", "closures alone"])
@pytest.mark.parametrize(
    ("change", "quick"),
    [
        ({}, True),
        ({"guest": None}, True),
        ({"guest": {}}, True),
        ({"tags": [], "plans": []}, True),
        ({"tags": None, "plans": None}, True),
        ({"tags": ["null", "GET OUT NOW ALL OF YOU"]}, True),
        ({"stay": {"room": {}}}, False),
        ({"stay": {"room": {"number": "1"}, "other": 1}}, False),
        ({"other": 1}, False),
        ({"account": {"other": 1}}, False),
        ({"tags": ["null"], "stay": {"room": {"number": "1"}, "nights": "many"}}, False),
        ({"guest": {"nick": "too long"}}, False),
        ({"guest": {"name": "Anonymous"}}, False),
        ({"guest": {"name": 5}}, False),
        ({"plans": [{"name": "a"}]}, False),
        ({"plans": [{"name": "far too long a name", "when": "b"}]}, False),
        ({"plans": PLANS * 3}, False),
        ({"plans": [{"name": "a", "when": "a time that is longer than a name"}]}, True),
    ],
)
def test_what_takes_the_quick_way(ways: dict[str, Any], way: str, change: dict[str, Any], quick: bool) -> None:
    context = FULL | change
    assert (ways[way]._direct.read(context, NOW, []) is not None) is quick
    assert seen(ways[way], context) == seen(ways["exact alone" if "alone" in way else "exact"], context)


@pytest.mark.parametrize("way", ["generated strict", "closures strict"])
@pytest.mark.parametrize(
    ("stay", "account", "quick"),
    [
        ({"late": True}, {"name": "Acme"}, True),
        ({"late": False}, {}, True),
        ({"late": "perhaps"}, {}, False),
        ({}, {"name": "Acme"}, False),
    ],
)
def test_what_is_required_and_needs_a_reader(
    ways: dict[str, Any], way: str, stay: dict[str, Any], account: dict[str, Any], quick: bool
) -> None:
    context = {"guest": {"name": "Zoë <3"}, "stay": stay, "account": account}
    assert (ways[way]._direct.read(context, NOW, []) is not None) is quick
    assert seen(ways[way], context) == seen(ways["exact strict"], context)


@pytest.mark.parametrize("way", ["generated whole", "closures whole"])
@pytest.mark.parametrize(
    ("account", "quick"),
    [({"name": "Acme"}, True), ({}, True), ({"other": "Acme"}, False), ({"name": "Acme", "other": 1}, False)],
)
def test_a_key_that_nobody_knows_is_seen(ways: dict[str, Any], way: str, account: dict[str, Any], quick: bool) -> None:
    context = {"guest": {"name": "Zoë <3"}, "account": account}
    assert (ways[way]._direct.read(context, NOW, []) is not None) is quick
    assert seen(ways[way], context) == seen(ways["exact whole"], context)


def test_notes_of_lists_are_found_when_they_are_asked_for(ways: dict[str, Any]) -> None:
    context = FULL | {"tags": ["null", "null"], "plans": [{"name": "../x", "when": "GET OUT NOW ALL"}]}
    for way in ("generated", "closures"):
        result = ways[way].render(context, NOW)
        assert result._late is not None
        expected = seen(ways["exact"], context)[2]
        context["tags"].clear()
        assert [tuple(note) for note in result.notes] == expected
        assert {note.code for note in result.notes} == {"placeholder", "path-like", "shouting"}
        context["tags"] += ["null", "null"]
