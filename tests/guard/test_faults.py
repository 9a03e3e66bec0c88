"""Whatever fails inside a guard, its answer is never an allow and never an error."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

import frieze.runtime.guard
from frieze.policy import shipped_table
from frieze.runtime.guard import Action, Guard, Policy, PolicyError
from frieze.runtime.guard.vocabulary import RANK
from support.guard_table import make_workspace

TABLE = shipped_table("coding")

MODULES = [
    importlib.import_module(f"frieze.runtime.guard.{found.name}")
    for found in pkgutil.iter_modules(frieze.runtime.guard.__path__)
]

ALLOWED = [
    Action("read", path="src/app.py"),
    Action("read", path="src/link_ok"),
    Action("edit", path="src/App.py"),
    Action("run", command="ls -la src"),
    Action("run", command="cat src/app.py | head -3 && git status"),
    Action("tool", tool="read", args={"path": "src/app.py"}),
    Action("tool", tool="shell", args={"command": "ls"}),
    Action("tool", tool="patch", args={"patch": "--- a/src/app.py\n+++ b/src/app.py\n"}),
]
"""What the sound guard allows: a failure must turn each into something else, or leave it as it is."""

STRICTER = [
    Action("run", command="rm -rf lib"),
    Action("run", command="cat .env"),
    Action("run", command="$(cat .env)"),
    Action("read", path=".env"),
    Action("read", path="src/link_env"),
    Action("edit", path=".git/config"),
    Action("tool", tool="net", args={"url": "https://a.example"}),
    Action("tool", tool="unknown", args={}),
    Action("delete", path="."),
]

TOOLS = {
    "read": {"action": "read", "paths": ["path"], "commands": [], "hosts": []},
    "shell": {"action": "run", "paths": [], "commands": ["command"], "hosts": []},
    "net": {"action": "network", "paths": [], "commands": [], "hosts": ["url"]},
    "patch": {"action": "edit", "paths": [], "commands": [], "hosts": [], "patches": ["patch"]},
}

KEPT = {"_failed", "decide", "describes", "judge_command", "check_tool"}
"""What answers for failures itself, or is entered from outside."""


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("outer") / "w"
    root.mkdir()
    return str(make_workspace(root))


def functions() -> Iterator[tuple[Any, str]]:
    """Yield (owner, name) of every function and method of the guard's modules."""
    for module in MODULES:
        for name, member in vars(module).items():
            if isinstance(member, FunctionType):
                yield module, name
            elif inspect.isclass(member) and member.__module__ == module.__name__:
                for inner, method in vars(member).items():
                    if isinstance(method, FunctionType) and not inner.startswith("__"):
                        yield member, inner


FUNCTIONS = [(owner, name) for owner, name in functions() if name not in KEPT]


@pytest.mark.parametrize(
    ("owner", "name"), FUNCTIONS, ids=[f"{owner.__name__.rpartition('.')[2]}.{name}" for owner, name in FUNCTIONS]
)
def test_a_function_that_raises_opens_nothing(
    owner: Any, name: str, workspace: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for interactive in (True, False):
        guard = Guard({**TABLE, "tools": TOOLS}, "implement", workspace=workspace, interactive=interactive)
        before = [guard.decide(action).effect for action in (*ALLOWED, *STRICTER)]
        for error in (RuntimeError("broken"), RecursionError()):

            def broken(*_args: Any, _error: Exception = error, **_keywords: Any) -> Any:
                raise _error

            with monkeypatch.context() as patch:
                patch.setattr(owner, name, broken)
                for action, effect in zip((*ALLOWED, *STRICTER), before, strict=True):
                    decision = guard.decide(action)
                    assert decision.effect in RANK
                    if decision.effect == "allow":
                        assert effect == "allow", action
                    if not interactive:
                        assert decision.effect != "ask"


def test_the_guard_is_sound_before_it_is_broken(workspace: str) -> None:
    guard = Guard({**TABLE, "tools": TOOLS}, "implement", workspace=workspace)
    assert {guard.decide(action).effect for action in ALLOWED} == {"allow"}
    assert "allow" not in {guard.decide(action).effect for action in STRICTER}
    assert len(FUNCTIONS) > 120
    assert sum(isinstance(owner, ModuleType) for owner, _ in FUNCTIONS) > 50


def test_a_failure_is_asked_about_and_cannot_be_approved_away(workspace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_args: Any) -> Any:
        raise RuntimeError

    guard = Guard(TABLE, "implement", workspace=workspace)
    monkeypatch.setattr("frieze.runtime.guard.judging.Judging.judge", broken)
    decision = guard.decide(Action("run", command="ls \u0435"))
    assert (decision.effect, decision.rule) == ("ask", "guard.failure")
    assert decision.confirmation is not None
    assert r"ls \u0435" in decision.confirmation["confirmation_prompt"]
    assert guard.decide(Action("run", command="ls \u0435"), guard.approve(decision.confirmation)).effect == "ask"
    assert guard.decide(Action("read")).effect == "deny"
    assert (
        Guard(TABLE, "implement", workspace=workspace, interactive=False).decide(Action("run", command="ls")).effect
        == "deny"
    )


VALUES: list[Any] = [
    None,
    True,
    3,
    1.5,
    "x",
    b"x",
    [],
    ["x"],
    {},
    {"x": 1},
    object(),
    float("nan"),
    {"x"},
    ("a", "b"),
    "\ud800",
    "x" * 100_000,
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: f"{type(value).__name__}-{str(value)[:8]}")
def test_hostile_actions_are_answered(value: Any, workspace: str) -> None:
    for interactive in (True, False):
        guard = Guard({**TABLE, "tools": TOOLS}, "implement", workspace=workspace, interactive=interactive)
        actions: list[Any] = [
            value,
            Action(value),
            Action("run", command=value),
            Action("read", path=value),
            Action("tool", tool=value),
            Action("tool", tool="read", args=value),
            Action("tool", tool="read", args={"path": value}),
            Action("tool", tool="shell", args={"command": value}),
            Action("run", command="ls", cwd=value),
            Action("read", path="src/app.py", cwd=value),
            Action(value, path="src/app.py"),
            ("run", "ls"),
            ("run", "ls", None, None, None, None),
        ]
        for action in actions:
            decision = guard.decide(action)
            assert decision.effect in RANK, action
            if decision.effect == "allow":
                assert value in (None, "x", {}, [], {"x": 1}) or value == ["x"] or value == ("a", "b"), action
            assert guard.check_tool(value, value).effect in ("ask", "deny")


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every field of a table but those of programs, and of the first of each list."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield (*path, key)
            if path[:1] not in (("programs",), ("wrappers",), ("secrets",)):
                yield from places(value, (*path, key))
    elif isinstance(data, list) and data:
        yield (*path, 0)
        yield from places(data[0], (*path, 0))


SMALL: dict[str, Any] = {
    **TABLE,
    "tools": TOOLS,
    "modes": {"implement": TABLE["modes"]["implement"]},
    "secrets": TABLE["secrets"][:1],
    "programs": {name: row for name, row in TABLE["programs"].items() if "ls" in name.split() or "cat" in name.split()},
}
PLACES = [path for path in places(SMALL) if path[0] not in ("cannot", "hash", "name", "hints")]
GONE = object()


def changed(path: tuple[Any, ...], value: Any) -> Any:
    table = deepcopy(SMALL)
    inner = table
    for key in path[:-1]:
        inner = inner[key]
    if value is GONE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return table


PROBES = [
    Action("run", command="rm -rf lib"),
    Action("run", command="cat .env"),
    Action("run", command="git push --force"),
    Action("run", command="frob"),
    Action("read", path=".env"),
    Action("delete", path="."),
    Action("tool", tool="net", args={"url": "https://a.example"}),
    Action("commit"),
]


@pytest.mark.parametrize(
    "value",
    [GONE, None, True, 7, "x", [], {}, [3], {"a": 1}, ["x"]],
    ids=lambda value: "gone" if value is GONE else str(value),
)
def test_a_field_that_is_missing_or_of_another_type_opens_nothing(value: Any, workspace: str) -> None:
    opened = []
    for path in PLACES:
        table = changed(path, value)
        try:
            guard = Guard(Policy(table), "implement", workspace=workspace)
        except PolicyError:
            continue
        for probe in PROBES:
            decision = guard.decide(probe)
            if decision.effect == "allow":
                opened.append((path, probe))
    # An emptied or replaced list is another policy, not a broken one.
    lists = {("paths", name) for name in ("deny", "generated", "protected", "catastrophic", "except")}
    wrong = [(path, probe) for path, probe in opened if path[:2] not in lists]
    assert not wrong


def test_every_list_of_the_table_is_looked_at() -> None:
    assert {path[0] for path in PLACES} >= {
        "format",
        "modes",
        "entries",
        "paths",
        "programs",
        "wrappers",
        "assignments",
        "executables",
        "tools",
        "secrets",
        "sandbox",
    }
    assert len(PLACES) > 120
    assert Path(frieze.runtime.guard.__file__).parent.name == "guard"
