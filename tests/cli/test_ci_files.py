"""The pre-commit hooks and the GitHub action run what they say."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from frieze.cli import group
from support.projects import write_files

ROOT = Path(__file__).parent.parent.parent
ACTION = ROOT / ".github/actions/check/action.yml"


def load(path: Path) -> Any:
    return YAML(typ="safe").load(path.read_text("utf-8"))


def test_hooks_call_commands_that_exist() -> None:
    for hook in load(ROOT / ".pre-commit-hooks.yaml"):
        program, command, *options = hook["entry"].split()
        assert program == "frieze"
        known = {option for parameter in group.commands[command].params for option in parameter.opts}
        assert set(options) <= known
        assert hook["pass_filenames"] is False


def test_no_input_of_the_action_is_pasted_into_a_script() -> None:
    for step in load(ACTION)["runs"]["steps"]:
        assert "${{" not in step["run"]


@pytest.mark.parametrize(("number", "code"), [("1.0.0", 0), ("[1]", 1)])
def test_the_check_step_annotates_and_summarises(tmp_path: Path, number: str, code: int) -> None:
    agent = "kind: agent\nname: one\ninstructions: Be kind.\n"
    project = f"kind: project\nname: one\nversion: {number}\n"
    write_files(tmp_path / "my project", {"frieze.yaml": project, "profiles/one.yaml": agent})
    (tmp_path / "frieze/bin").mkdir(parents=True)
    (tmp_path / "frieze/bin/frieze").symlink_to(Path(sys.executable).parent / "frieze")
    (step,) = [step for step in load(ACTION)["runs"]["steps"] if step["name"] == "Check"]
    env = {
        **os.environ,
        "RUNNER_TEMP": str(tmp_path),
        "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
        "PROJECT": "my project",
    }
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", step["run"]],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (code, "")
    summary = (tmp_path / "summary.md").read_text("utf-8")
    assert summary.startswith("```text\n")
    assert summary.endswith("\n```\n")
    if code:
        assert done.stdout.startswith("::error file=my project/frieze.yaml,line=3,")
        assert "--> my project/frieze.yaml:3:" in summary
    else:
        assert "all good" in summary
