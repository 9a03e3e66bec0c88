"""The interpreter travels with a bundle: it imports the standard library and its own neighbours, nothing else."""

from __future__ import annotations

import ast
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import frieze.runtime

RUNTIME = Path(frieze.runtime.__file__).parent
MODULES = sorted(RUNTIME.glob("*.py"))

FORBIDDEN_CALLS = {"eval", "exec", "compile", "__import__", "open", "input", "print", "globals", "vars"}
STANDARD = sys.stdlib_module_names | {"_sha256"}
"""Python 3.12 no longer has `_sha256`; `hashing` does without it there."""

IMPURE = {"random", "secrets", "uuid", "pickle", "marshal", "ctypes", "socket", "importlib", "locale"}


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.name)
def test_imports_of_a_module(module: Path) -> None:
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.level:
            assert node.level == 1
            continue
        names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
        if isinstance(node, ast.ImportFrom):
            names = [str(node.module)]
        for name in names:
            top = name.partition(".")[0]
            assert top in STANDARD
            assert top not in IMPURE


INTERPRETER = [
    "access",
    "arithmetic",
    "errors",
    "expressions",
    "frames",
    "interpreter",
    "list_filters",
    "missing",
    "operations",
    "output",
    "printing",
    "profile_filters",
    "tests",
    "text_filters",
]


@pytest.mark.parametrize("name", INTERPRETER)
def test_calls_of_a_module(name: str) -> None:
    tree = ast.parse((RUNTIME / f"{name}.py").read_bytes())
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "compile":
            owner = node.func.value
            if isinstance(owner, ast.Name) and owner.id == "re":
                assert all(isinstance(argument, ast.Constant | ast.Attribute) for argument in node.args)


def test_the_copied_runtime_renders_without_site_packages(tmp_path: Path) -> None:
    shutil.copytree(RUNTIME, tmp_path / "bundle", ignore=shutil.ignore_patterns("__pycache__"))
    code = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n"
        "from bundle.interpreter import compile_body\n"
        "body = ['Hi ', ['out', ['filter', 'upper', ['input', 'name'], [], []], 'escape'], '!']\n"
        "print(compile_body(body, strict=False)({'name': 'a<b'}))\n"
        "assert not {'jinja2', 'markupsafe'} & set(sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", code], capture_output=True, check=False, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "Hi A&lt;B!\n", "")


def test_two_runs_give_the_same_bytes() -> None:
    code = (
        "from frieze.runtime.operations import CLASSES, FILTERS, TESTS\n"
        "from frieze.runtime.interpreter import compile_body\n"
        "body = [['out', ['filter', 'json', ['input', 'v'], [], []]], ['out', ['filter', 'list', "
        "['filter', 'unique', ['input', 'w'], [], []], [], []]]]\n"
        "print([*FILTERS], [*TESTS], [*CLASSES])\n"
        "print(compile_body(body, strict=True)({'v': {'b': 1, 'a': 2}, 'w': list('hello world')}))\n"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True, timeout=60
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(runs) == 1
