"""Topics of rules that are written nearly alike (F732)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import frieze
from frieze.checks.near_topic import near_topic
from frieze.freeze import freeze_project
from frieze.profiles import load_graph
from frieze.resources import profiles_folder
from support.projects import write_files

RULE = "kind: rule\nname: NAME\ntopic: TOPIC\nscope: [NAME]\ntext: Keep NAME.\n"
AGENT = "kind: agent\nname: NAME\ninstructions: Hi.\nlayout: {insert: {rules: {after: instructions}}}\nrules: [RULES]\n"


def found(root: Path, topics: list[str], agents: list[str]) -> list[tuple[str, int, str]]:
    """Return the file, the line and the nearer topic of each finding; rules are called `r0`, `r1` and so on."""
    files = {"frieze.yaml": "kind: project\nname: p\n"}
    for number, topic in enumerate(topics):
        name = f"r{number}"
        files[f"profiles/{name}.yaml"] = RULE.replace("NAME", name).replace("TOPIC", topic)
    for number, rules in enumerate(agents):
        files[f"profiles/a{number}.yaml"] = AGENT.replace("NAME", f"a{number}").replace("RULES", rules)
    result = frieze.check(write_files(root, files))
    assert {entry.code for entry in result.diagnostics} <= {"F732"}
    return [(entry.span.file, entry.span.line, dict(entry.args)["near"]) for entry in result.diagnostics]


SLIPS = [
    ("tests", "test"),
    ("generated-files", "generated-file"),
    ("generated-files", "generated_files"),
    ("generated-files", "generatedfiles"),
    ("generated.files", "Generated-Files"),
    ("addresses", "adresses"),
    ("e-mail", "email"),
    ("secrets", "secrtes"),
    ("generated-files", "genreated-files"),
    ("deploy-to-production", "deploys-to-production"),
]

TWO_TOPICS = [
    ("tests", "Tests"),
    ("contact", "contract"),
    ("format", "formal"),
    ("billing", "filling"),
    ("region-a", "region-b"),
    ("section-1.1", "section-11"),
    ("step-12", "step-21"),
    ("python2", "python3"),
    ("reserve", "reverse"),
    ("conversation", "conservation"),
    ("from", "form"),
    ("css", "cs"),
    ("ios", "io"),
    ("import", "export"),
    ("read-only", "only-read"),
    ("test", "testing"),
]


@pytest.mark.parametrize(("one", "other"), [*SLIPS, *(pair[::-1] for pair in SLIPS)])
def test_slips(tmp_path: Path, one: str, other: str) -> None:
    assert found(tmp_path, [one, other], ["r0, r1"]) == [("profiles/r1.yaml", 3, one)]


@pytest.mark.parametrize(("one", "other"), TWO_TOPICS)
def test_topics_of_their_own(tmp_path: Path, one: str, other: str) -> None:
    assert found(tmp_path, [one, other], ["r0, r1"]) == []
    assert found(tmp_path / "back", [other, one], ["r0, r1"]) == []


def test_only_rules_that_one_agent_follows_are_compared(tmp_path: Path) -> None:
    assert found(tmp_path / "apart", ["tests", "test", "secrets"], ["r0, r2", "r1, r2"]) == []
    once = found(tmp_path / "once", ["tests", "test"], ["r0, r1", "r1, r0", "r0, r1"])
    assert once == [("profiles/r1.yaml", 3, "tests")]


def test_the_rule_of_the_project_is_named_and_not_that_of_the_library(tmp_path: Path) -> None:
    assert found(tmp_path, ["secret"], ["r0, std/no-secrets"]) == [("profiles/r0.yaml", 3, "secrets")]
    assert found(tmp_path / "third", ["x-one", "secret"], ["r0, r1, std/no-secrets"]) == [
        ("profiles/r1.yaml", 3, "secrets")
    ]


def test_two_rules_of_a_library_are_nobody_s_to_change(tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(profiles_folder(), library)
    agent = AGENT.replace("NAME", "a").replace("RULES", "std/no-secrets, std/again")
    write_files(
        tmp_path,
        {
            "library/rules/again.yaml": RULE.replace("NAME", "again").replace("TOPIC", "secret"),
            "own/frieze.yaml": "kind: project\nname: p\n",
            "own/profiles/a.yaml": agent,
        },
    )
    graph, faults = load_graph(tmp_path / "own", library=library)
    assert graph is not None
    assert faults == []
    assert list(near_topic(freeze_project(graph)[0])) == []
    assert {"std/no-secrets", "std/again"} == graph.rules.keys()


def test_topics_of_the_library_are_all_their_own(tmp_path: Path) -> None:
    folder = Path(__file__).parents[2] / "profiles" / "rules"
    names = sorted(path.stem for path in folder.glob("*.yaml"))
    assert len(names) > 8
    assert found(tmp_path, [], [", ".join(f"std/{name}" for name in names)]) == []
