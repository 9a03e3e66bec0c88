"""However many processes work, and whatever a cache holds, the result is the same."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import frieze.pipeline
from frieze.bench.projects import write_project
from frieze.build import shares
from frieze.cache import Store

EXAMPLES = Path(__file__).parents[2] / "examples"


def result(root: Path, **options: Any) -> tuple[Any, ...]:
    compiled = frieze.pipeline.compile(root, **options)
    checked = frieze.pipeline.check(root, **options)
    told = [(entry, entry.related, entry.advice) for entry in compiled.diagnostics]
    also = [(entry, entry.related, entry.advice) for entry in checked.diagnostics]
    assert told == also
    files = dict(compiled.bundle.files) if compiled.bundle else None
    return told, files, dict(compiled.texts), dict(checked.counts), checked.project_name


@pytest.fixture(params=["support-desk", "generated", "broken", "alike"])
def project(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    if request.param == "support-desk":
        return EXAMPLES / "support-desk"
    root = tmp_path / "project"
    write_project(root, agents=9, platforms=3)
    agents = root / "profiles/agents"
    if request.param == "broken":
        for number, slip in ((1, "{{ nobody }}"), (4, "{{ city }}"), (5, "{% if %}")):
            path = agents / f"agent-{number:04}.yaml"
            path.write_text(path.read_text("utf-8") + f"  {slip}\n", encoding="utf-8")
    if request.param == "alike":
        base = (agents / "agent-0000.yaml").read_text("utf-8")
        (agents / "agent-0000.yaml").write_text(base + "  Answer with a table, whoever asks.\n", encoding="utf-8")
        for number in (1, 2, 3):
            only = "" if number == 1 else "allows: {platforms: [channel-1]}\ndefaults: {platform: channel-1}\n"
            text = f"kind: agent\nname: agent-000{number}\nextends: agent-0000\n{only}"
            (agents / f"agent-000{number}.yaml").write_text(text, encoding="utf-8")
        (agents / "agent-0005.yaml").write_text(
            "kind: agent\nname: agent-0005\nextends: agent-0004\ninstructions: {file: said.md}\n", encoding="utf-8"
        )
        (agents / "said.md").write_text("As it is written here, for {{ agent.name }}.\n", encoding="utf-8")
    return root


def test_workers_change_nothing(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = result(project)
    monkeypatch.setattr(shares, "LEAST", 2)
    for jobs in (2, 3):
        assert result(project, jobs=jobs) == alone


def test_a_cache_changes_nothing(project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = result(project)
    monkeypatch.setattr(shares, "LEAST", 2)
    for jobs in (1, 1, 2):
        assert result(project, jobs=jobs, cache=Store(tmp_path / "cache")) == alone


RUN = """
import hashlib, sys
from pathlib import Path
import frieze.pipeline
from frieze.cache import Store

sys.stdin.readline()
bundle = frieze.pipeline.compile(Path(sys.argv[1]), jobs=2, cache=Store(Path(sys.argv[2]))).bundle
whole = hashlib.sha256()
for path, content in sorted(bundle.files.items()):
    whole.update(path.encode() + content)
print(whole.hexdigest())
"""


def test_runs_at_the_same_time_share_a_cache(tmp_path: Path) -> None:
    """Three processes begin together with an empty cache, and again after a change."""
    root = tmp_path / "project"
    paths = write_project(root, agents=30, platforms=2)
    for sentence in ("", "  One more sentence.\n"):
        paths[-1].write_text(paths[-1].read_text("utf-8") + sentence, encoding="utf-8")
        command = [sys.executable, "-c", RUN, str(root), str(tmp_path / "cache")]
        runs = [subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        for run in runs:
            assert run.stdin
            run.stdin.write("\n")
            run.stdin.flush()
        told = {run.communicate(timeout=120)[0] for run in runs}
        files = (frieze.pipeline.compile(root).bundle or pytest.fail("it does not compile")).files
        whole = hashlib.sha256()
        for path, content in sorted(files.items()):
            whole.update(path.encode() + content)
        assert told == {f"{whole.hexdigest()}\n"}
