"""What a guard answers, and what a person is shown; under the shipped coding policy."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.policy import shipped_table
from frieze.runtime.guard import Action, ConfirmationError, Decision, Guard, Policy, PolicyError
from support.guard_table import make_workspace, table

POLICY = Policy(shipped_table("coding"))


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> str:
    root = tmp_path_factory.mktemp("outer") / "w"
    root.mkdir()
    return str(make_workspace(root))


@pytest.fixture
def guard(workspace: str) -> Guard:
    return Guard(POLICY, "implement", workspace=workspace)


class Clock:
    """Seconds that go on when they are told to."""

    now = 0.0

    def __call__(self) -> float:
        return self.now


def asked(decision: Decision) -> dict[str, Any]:
    assert decision.effect == "ask", decision
    assert decision.confirmation is not None
    return decision.confirmation


RM = Action("run", command="rm -rf lib")


def test_the_matrix_for_kinds_alone(workspace: str) -> None:
    for mode in POLICY.table["modes"]:
        decided = Guard(POLICY, mode, workspace=workspace)
        for kind, cell in POLICY.table["modes"][mode]["cells"].items():
            decision = decided.decide(Action(kind))
            assert (decision.effect, decision.action) == (cell["effect"], kind)


@pytest.mark.parametrize(
    ("mode", "kind", "path", "effect"),
    [
        ("implement", "read", "src/app.py", "allow"),
        ("implement", "search", "src", "allow"),
        ("implement", "edit", "src/app.py", "allow"),
        ("implement", "edit", "/tmp/x", "ask"),
        ("implement", "edit", ".github/workflows/ci.yml", "ask"),
        ("implement", "edit", ".env", "deny"),
        ("implement", "delete", "build/x", "ask"),
        ("implement", "delete", "/tmp/x", "deny"),
        ("implement", "delete", ".git", "deny"),
        ("implement", "move", "src/app.py", "ask"),
        ("implement", "secrets", "src/app.py", "ask"),
        ("investigate", "read", "src/app.py", "allow"),
        ("investigate", "read", "/etc/passwd", "ask"),
        ("investigate", "edit", "src/app.py", "deny"),
        ("investigate", "delete", "build/x", "deny"),
        ("review", "edit", "src/app.py", "deny"),
    ],
)
def test_accesses(mode: str, kind: str, path: str, effect: str, workspace: str) -> None:
    assert Guard(POLICY, mode, workspace=workspace).decide(Action(kind, path=path)).effect == effect


@pytest.mark.parametrize("command", ["ls", "ls -la src", "cat src/app.py", "git status", "pytest -q"])
def test_a_simple_command_is_decided_quickly(command: str, guard: Guard) -> None:
    action = Action("run", command=command)
    assert guard.decide(action).effect == "allow"
    best = 1.0
    for _ in range(10):
        begun = time.process_time()
        for _ in range(50):
            guard.decide(action)
        best = min(best, (time.process_time() - begun) / 50)
    assert best < 150e-6, "50 microseconds are the aim; a slow machine may take three times as long"


def test_without_a_person_what_asks_is_denied(workspace: str) -> None:
    alone = Guard(POLICY, "implement", workspace=workspace, interactive=False)
    decision = alone.decide(RM)
    assert (decision.effect, decision.reason, decision.confirmation) == ("deny", "confirmation-unavailable", None)
    assert "`rm`" in decision.message()
    assert alone.decide(Action("read", path="src/app.py")).effect == "allow"
    assert alone.decide(Action("read", path=".env")).reason != "confirmation-unavailable"
    for interactive in (None, 0, "yes", [], 1):
        assert Guard(POLICY, "implement", workspace=workspace, interactive=interactive).decide(RM).effect == "deny"  # type: ignore[arg-type]  # on purpose


def test_what_a_person_is_shown(guard: Guard, workspace: str) -> None:
    shown = asked(guard.decide(RM))
    assert shown["action"] == "delete"
    assert shown["command"] == "rm -rf lib"
    assert shown["argv"] == [["rm", "-rf", "lib"]]
    assert shown["cwd"] == str(Path(workspace).resolve())
    assert shown["paths"] == [f"{Path(workspace).resolve()}/lib"]
    assert shown["risk"] == "destructive-delete"
    assert shown["requires_confirmation"] is True
    assert shown["untouched"]
    prompt = shown["confirmation_prompt"]
    for part in ("rm -rf lib", f"{workspace}/lib", shown["reason"], shown["untouched"]):
        assert part in prompt
    assert json.loads(json.dumps(shown)) == shown


def test_deleting_generated_files_is_another_risk(guard: Guard, workspace: str) -> None:
    assert guard.decide(Action("run", command="rm -rf build dist/x")).risk == "destructive-generated-artifact"
    assert guard.decide(Action("run", command="rm -rf build src")).risk == "destructive-delete"
    assert guard.decide(Action("delete", path="build/x")).risk == "destructive-generated-artifact"
    tabled = Guard(table(), "implement", workspace=workspace)
    assert tabled.decide(Action("delete", path="build/x")).risk == "destructive-generated-artifact"
    assert tabled.decide(Action("delete", path="src/x")).risk == "unknown"


@pytest.mark.parametrize(
    ("text", "shown", "hidden"),
    [
        ("frob \u0435nv", r"frob \u0435nv", "\u0435"),
        ("frob a\u202eb", r"\u202e", "\u202e"),
        ("frob a\u200bb", r"\u200b", "\u200b"),
        ("frob\tx\x1b[2K", r"\t", "\x1b"),
        ("frob " + " " * 500 + "; rm -rf src", r"\x20{501}; rm -rf src", "      "),
        ("frob\nrm -rf src", r"frob\nrm -rf src", "\nrm"),
        ("frob \xa0x", r"\xa0", "\xa0"),
        ("frob `id`", "\\x60id\\x60", None),
    ],
)
def test_nothing_is_hidden_from_the_person(text: str, shown: str, hidden: str | None, guard: Guard) -> None:
    prompt = asked(guard.decide(Action("run", command=text)))["confirmation_prompt"]
    assert shown in prompt
    assert hidden is None or hidden not in prompt
    assert prompt.isascii()


def test_nothing_is_cut_and_nothing_is_masked(guard: Guard) -> None:
    secret = "ghp_" + "a1B2" * 9
    text = "frob " + "true " * 3000 + f"&& frob --token {secret} && rm -rf src"
    shown = asked(guard.decide(Action("run", command=text)))
    assert text in shown["confirmation_prompt"]
    assert shown["command"] == text


def test_questions_hold_no_placeholders(guard: Guard) -> None:
    for command in ("npm install left-pad", "pip install -r requirements.txt", "git push", "curl https://a.b/c", "git reset --hard", "git clean -fd", "docker compose down -v", "kubectl delete pod x", "terraform apply", "frob {paths}"):  # fmt: skip
        question = asked(guard.decide(Action("run", command=command)))["confirmation_prompt"].partition("\n")[0]
        assert command in question or command == "frob {paths}"
        assert "{packages}" not in question


def test_a_question_names_the_paths_that_it_is_about(guard: Guard, workspace: str) -> None:
    for command, start in {
        "ls && rm -rf lib && cat src/app.py": f"Delete `{workspace}/lib` and everything below with",
        "cat src/app.py; mv a b": f"Move `{workspace}/a`, `{workspace}/b`",
    }.items():
        assert asked(guard.decide(Action("run", command=command)))["confirmation_prompt"].startswith(start)


def test_what_stays_untouched_is_said_where_it_is_certain(guard: Guard) -> None:
    for command, certain in {
        "rm lib": "Every other file stays as it is.",
        "git clean -fd": "It is not known what else this changes.",
        "git push": "The commits in the workspace stay as they are.",
        "npm install x": "It is not known what else this changes.",
        "rm lib && frob": "It is not known what else this changes.",
        "cat /etc/passwd": "Nothing is changed.",
        "cat /etc/passwd $(id)": "It is not known what else this changes.",
    }.items():
        untouched = asked(guard.decide(Action("run", command=command)))["untouched"]
        assert untouched == f"{certain} If you decline, nothing runs and everything stays as it is.", command


def test_an_approval_is_good_once_for_exactly_this(guard: Guard) -> None:
    token = guard.approve(asked(guard.decide(RM)))
    for other in (
        Action("run", command="rm -rf lib2"),
        Action("run", command="rm -rf  lib"),
        Action("run", command="rm -rf lib", cwd="src"),
        Action("tool", tool="run_shell", args={"command": "rm -rf lib"}),
        Action("delete", path="lib"),
    ):
        assert guard.decide(other, token).effect in ("ask", "deny"), other
    decision = guard.decide(RM, token)
    assert (decision.effect, decision.action, decision.confirmation) == ("allow", "delete", None)
    assert guard.decide(RM, token).effect == "ask"


def test_an_approval_holds_for_one_guard_policy_mode_and_workspace(
    guard: Guard, workspace: str, tmp_path: Path
) -> None:
    token = guard.approve(asked(guard.decide(RM)))
    changed = {**shipped_table("coding"), "cannot": []}
    for other in (
        Guard(POLICY, "implement", workspace=workspace),
        Guard(changed, "implement", workspace=workspace),
        Guard(POLICY, "implement", workspace=str(tmp_path)),
    ):
        assert other.decide(RM, token).effect == "ask"
        with pytest.raises(ConfirmationError):
            other.approve(asked(guard.decide(RM)))


def test_what_is_bound_names_policy_mode_workspace_folder_and_paths(
    guard: Guard, workspace: str, tmp_path: Path
) -> None:
    changed = {**shipped_table("coding"), "cannot": []}
    modes = {**changed["modes"], "other": changed["modes"]["implement"]}
    guards = [
        guard,
        Guard(changed, "implement", workspace=workspace),
        Guard({**changed, "modes": modes}, "implement", workspace=workspace),
        Guard({**changed, "modes": modes}, "other", workspace=workspace),
        Guard(POLICY, "implement", workspace=str(tmp_path)),
    ]
    actions = [RM, RM._replace(cwd="src"), Action("run", command="rm -rf  lib"), Action("delete", path="lib")]
    bound = {each.decide(action).confirmation["id"]: each for each in guards for action in actions}  # type: ignore[index]  # they ask
    assert len({each._tokens._open[name][0] for name, each in bound.items()}) == len(guards) * len(actions)


def test_an_approval_ends_when_a_link_is_turned(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    (tmp_path / "link").symlink_to("one")
    turned = Guard(POLICY, "implement", workspace=str(tmp_path))
    action = Action("run", command="rm link/x")
    token = turned.approve(asked(turned.decide(action)))
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("two")
    assert turned.decide(action, token).effect == "ask"
    (tmp_path / "link").unlink()
    (tmp_path / "link").symlink_to("one")
    assert turned.decide(action, token).effect == "allow"


def test_approvals_and_confirmations_end(workspace: str) -> None:
    clock = Clock()
    timed = Guard(POLICY, "implement", workspace=workspace, clock=clock, lifetime=60)
    token = timed.approve(asked(timed.decide(RM)))
    clock.now = 59
    assert timed.decide(RM, token).effect == "allow"
    token = timed.approve(asked(timed.decide(RM)))
    clock.now += 60
    assert timed.decide(RM, token).effect == "ask"
    old = asked(timed.decide(RM))
    clock.now += 3600
    with pytest.raises(ConfirmationError, match="too old"):
        timed.approve(old)


def test_a_confirmation_can_be_approved_once_and_unchanged(guard: Guard) -> None:
    shown = asked(guard.decide(RM))
    for name, value in {
        "command": "rm -rf lib2",
        "paths": [],
        "confirmation_prompt": "ok",
        "risk": "leak",
        "more": 1,
    }.items():
        with pytest.raises(ConfirmationError):
            guard.approve({**shown, name: value})
    for wrong in ({}, None, "x", 3, [], {"id": "x"}, {**shown, "id": "0" * 32}, {"id": []}, {**shown, "args": {1, 2}}):
        with pytest.raises(ConfirmationError):
            guard.approve(wrong)  # type: ignore[arg-type]  # on purpose
    guard.approve(shown)
    with pytest.raises(ConfirmationError):
        guard.approve(shown)


@pytest.mark.parametrize("token", ["", "x", "0" * 64, 3, b"x", True, [], {}, object(), "\ud800"])
def test_what_is_no_token(token: object, guard: Guard) -> None:
    guard.approve(asked(guard.decide(RM)))
    assert guard.decide(RM, token).effect == "ask"  # type: ignore[arg-type]  # on purpose


def test_a_token_never_opens_a_denial(guard: Guard) -> None:
    token = guard.approve(asked(guard.decide(RM)))
    assert guard.decide(Action("run", command="cat .env"), token).effect == "deny"
    assert guard.decide(RM, token).effect == "allow"


def test_of_sixteen_threads_one_uses_a_token(guard: Guard) -> None:
    for _ in range(20):
        token = guard.approve(asked(guard.decide(RM)))
        ready = threading.Barrier(16)
        effects: list[str] = []

        def use(token: str = token, ready: threading.Barrier = ready, effects: list[str] = effects) -> None:
            ready.wait()
            effects.append(guard.decide(RM, token).effect)

        threads = [threading.Thread(target=use) for _ in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(effects) == ["allow", *["ask"] * 15]


def test_of_sixteen_threads_one_approves(guard: Guard) -> None:
    shown = asked(guard.decide(RM))
    ready = threading.Barrier(16)
    tokens: list[str] = []

    def approve() -> None:
        ready.wait()
        try:
            tokens.append(guard.approve(shown))
        except ConfirmationError:
            tokens.append("")

    threads = [threading.Thread(target=approve) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([token for token in tokens if token]) == 1


def test_no_token_reaches_what_a_model_may_read(guard: Guard) -> None:
    shown = asked(guard.decide(RM))
    token = guard.approve(shown)
    assert len(token) >= 43
    later = guard.decide(RM)
    used = guard.decide(RM, token)
    told = [guard.result("run_shell", decision, command="rm -rf lib") for decision in (later, used)]
    seen = repr([shown, later, used, told, guard, vars(type(guard)), used.findings, json.dumps(later.as_data())])
    assert token not in seen


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(["rm x", "npm install a", "git push", "frob", "curl a.b"]), min_size=1, max_size=8),
    st.data(),
)
def test_tokens_fit_what_they_were_given_for(commands: list[str], data: st.DataObject) -> None:
    guard = Guard(POLICY, "implement", workspace="/nowhere/w")
    held = [(command, guard.approve(asked(guard.decide(Action("run", command=command))))) for command in commands]
    while held:
        command, token = held.pop(data.draw(st.integers(0, len(held) - 1)))
        other = data.draw(st.sampled_from(["rm x", "npm install a", "git push", "frob", "curl a.b"]))
        if other != command:
            assert guard.decide(Action("run", command=other), token).effect == "ask"
        assert guard.decide(Action("run", command=command), token).effect == "allow"
        assert guard.decide(Action("run", command=command), token).effect == "ask"


def test_open_confirmations_do_not_pile_up(guard: Guard) -> None:
    first = asked(guard.decide(RM))
    for _ in range(4096):
        guard._tokens.open("0", {})
    with pytest.raises(ConfirmationError):
        guard.approve(first)
    assert len(guard._tokens._open) <= 4096


def test_a_command_in_another_folder_is_judged_there(guard: Guard) -> None:
    assert guard.decide(Action("run", command="cat app.py", cwd="src")).effect == "allow"
    assert guard.decide(Action("run", command="cat db.yml", cwd="config/secrets")).effect == "deny"
    assert guard.decide(Action("run", command="cat db.yml", cwd="src/link_dir")).effect == "deny"
    assert guard.decide(Action("run", command="cat passwd", cwd="/etc")).effect == "ask"
    assert guard.decide(Action("run", command="git status", cwd="vendor/lib")).effect == "ask"
    assert guard.decide(Action("run", command="git status", cwd=".")).effect == "allow"
    shown = asked(guard.decide(Action("run", command="rm x", cwd="src")))
    assert shown["argv"] == [["rm", "x"]]
    assert shown["paths"][-1].endswith("/w/src/x")


@pytest.mark.parametrize(
    ("command", "effect"),
    [
        ("ln -s .git g && echo x > g/hooks/pre-commit", "ask"),
        ("ln -s src s && echo x > s/app.py", "ask"),
        ("ln .bashrc x && echo y > x", "ask"),
        ("ln -s .env x", "deny"),
        ("ln src/app.py src/b.py", "allow"),
        ("git log -L 1,5:.env", "deny"),
        ("git log -L 1,5:src/app.py", "allow"),
    ],
)
def test_other_names_for_a_file_open_nothing(command: str, effect: str, guard: Guard, workspace: str) -> None:
    Path(workspace, ".bashrc").touch()
    assert guard.decide(Action("run", command=command)).effect == effect


def test_approval_settings_of_the_sandbox(workspace: str) -> None:
    def decide(command: str, **sandbox: Any) -> Decision:
        tabled = shipped_table("coding")
        changed = {**tabled, "sandbox": {**tabled["sandbox"], **sandbox}}
        return Guard(changed, "implement", workspace=workspace).decide(Action("run", command=command))

    assert decide("ls && rm -rf x").effect == "ask"
    never = decide("ls && rm -rf x", approval="never")
    assert (never.effect, never.reason) == ("deny", "confirmation-unavailable")
    switches = {"sandbox_approval": False, "rules": True}
    assert (
        decide("npm install x", approval="granular", granular={"sandbox_approval": True, "rules": True}).effect == "ask"
    )
    assert decide("frob", approval="granular", granular=switches).effect == "deny"
    assert decide("frob", approval="granular", granular={"sandbox_approval": True, "rules": False}).effect == "ask"
    assert decide("frob", approval="granular", granular={}).effect == "deny"
    assert (
        decide("npm install x", approval="granular", granular={"sandbox_approval": True, "rules": False}).effect
        == "deny"
    )


def test_unknown_modes_and_broken_tables(workspace: str) -> None:
    for mode in ("", "nope", None, 3, [], "Implement"):
        with pytest.raises(PolicyError):
            Guard(POLICY, mode, workspace=workspace)  # type: ignore[arg-type]  # on purpose
    for broken in (None, 3, "x", [], {}, {"format": 2}, {**table(), "format": True}, {**table(), "x": {1}}):
        with pytest.raises(PolicyError):
            Guard(broken, "implement", workspace=workspace)  # type: ignore[arg-type]  # on purpose


def test_workspaces_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    for wrong in ("", None, 3, b"/w", "/w\0", str(tmp_path / "loop"), [], object()):
        with pytest.raises(PolicyError):
            Guard(POLICY, "implement", workspace=wrong)  # type: ignore[arg-type]  # on purpose
    assert Guard(POLICY, "implement", workspace=tmp_path).workspace == str(tmp_path.resolve())


def test_a_table_that_changes_later_changes_nothing(workspace: str) -> None:
    changing = table()
    guard = Guard(changing, "implement", workspace=workspace)
    changing["paths"]["deny"].clear()
    changing["modes"]["implement"]["cells"]["delete"]["effect"] = "allow"
    assert guard.decide(Action("read", path=".env")).effect == "deny"
    assert guard.decide(Action("delete", path="x")).effect == "ask"


def test_a_mode_that_cannot_edit_edits_nothing_whatever_its_cells_say(workspace: str) -> None:
    frozen = table()
    frozen["modes"]["implement"]["flags"]["can_edit"] = False
    guard = Guard(frozen, "implement", workspace=workspace)
    for kind in ("edit", "delete", "move", "commit", "push", "pull-request", "deploy"):
        assert guard.decide(Action(kind)).effect == "deny"
    assert guard.decide(Action("edit", path="src/app.py")).effect == "deny"
    assert guard.decide(Action("run", command="echo x > src/app.py")).effect == "deny"
    assert guard.decide(Action("read", path="src/app.py")).effect == "allow"


def test_entries_for_an_action_as_a_whole_and_for_paths(workspace: str) -> None:
    def entry(**fields: Any) -> dict[str, Any]:
        given = {
            "id": "own",
            "layer": "project",
            "commands": [],
            "modes": None,
            "risk": "change",
            "confirm": None,
            "reason": "Said so.",
        }
        return {**given, **fields}

    def decide(asked_for: Action, **fields: Any) -> Decision:
        return Guard(table(entries=[entry(**fields)]), "implement", workspace=workspace).decide(asked_for)

    edit = Action("edit", path="src/app.py")
    assert decide(edit, action="edit", effect="ask").rule == "own"
    assert decide(edit, action="edit", effect="deny", modes=["investigate"]).effect == "allow"
    assert decide(edit, action="edit", effect="deny", modes=["implement"]).effect == "deny"
    assert decide(edit, action="read", effect="deny").effect == "allow"
    assert decide(edit, action="edit", effect="deny", paths=["src/**"]).rule == "own"
    assert decide(edit, action="edit", effect="deny", paths=["lib/**"]).effect == "allow"
    assert (
        decide(edit, action="edit", effect="ask", paths=["src/**"], confirm="Change {paths}?")
        .confirmation["confirmation_prompt"]
        .startswith(f"Change `{workspace}/src/app.py`?")
    )  # type: ignore[index]  # it asks
    assert decide(Action("delete", path="x"), action="delete", effect="allow", layer="developer").effect == "ask"
    for layer in ("project", "user"):
        with pytest.raises(PolicyError, match="allows something"):
            decide(edit, action="edit", effect="allow", layer=layer)
