"""Who may import whom, read from the syntax trees of the package itself."""

from __future__ import annotations

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import frieze

PACKAGE = Path(frieze.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))

ORDER = (
    {"diagnostics"},
    {"resources"},
    {"cache"},
    {"sources"},
    {"schema"},
    {"profiles"},
    {"template", "policy"},
    {"freeze"},
    {"checks"},
    {"emit"},
    {"build"},
    {"pipeline"},
    {"bench"},
    {"cli"},
)
"""The rooms from left to right; a room imports itself and rooms to its left. `runtime` stands apart."""

RANK = {room: rank for rank, rooms in enumerate(ORDER) for room in rooms}
FREE = {"", "__main__", "cli"}
"""Rooms that may import the public functions of `frieze` itself."""


def room_of(module: Path) -> str:
    """Return the room of a file; "" is the package's own `__init__`."""
    first = module.relative_to(PACKAGE).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def imports(module: Path) -> Iterator[tuple[int, str]]:
    """Yield (line, absolute dotted name) of everything a file imports, also inside functions."""
    parents = list(module.relative_to(PACKAGE.parent).parts[:-1])
    for node in ast.walk(ast.parse(module.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = parents[: len(parents) - node.level + 1] if node.level else []
            name = ".".join([*base, *([node.module] if node.module else [])])
            if name == "frieze" or (node.level and not node.module):
                yield from ((node.lineno, f"{name}.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, name


def imported_rooms(module: Path) -> Iterator[tuple[int, str]]:
    for line, name in imports(module):
        head, _, rest = name.partition(".")
        if head == "frieze":
            room = rest.split(".")[0]
            yield line, room if (PACKAGE / room).is_dir() or (PACKAGE / f"{room}.py").is_file() else ""


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_a_room_imports_only_to_its_left(module: Path) -> None:
    room = room_of(module)
    if room in {"", "__main__"}:
        return
    wrong = []
    for line, other in imported_rooms(module):
        if other == "":
            allowed = room in FREE or _takes_the_version_only(module, line)
        elif room == "runtime":
            allowed = other == "runtime"
        else:
            allowed = other == "runtime" or RANK[other] < RANK[room] or other == room
        if not allowed:
            wrong.append(f"{module}:{line}: {room} imports {other or 'the public functions'}")
    assert not wrong, "\n".join(wrong)


def _takes_the_version_only(module: Path, line: int) -> bool:
    names = {name for at, name in imports(module) if at == line}
    return names <= {"frieze", "frieze.__version__"} and "frieze." not in _attributes(module)


def _attributes(module: Path) -> str:
    """Return the attributes of `frieze` that a file uses, but for the version, each behind `frieze.`."""
    tree = ast.parse(module.read_bytes())
    return " ".join(
        f"frieze.{node.attr}"
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "frieze"
        and node.attr != "__version__"
    )


@pytest.mark.parametrize("module", sorted((PACKAGE / "runtime").rglob("*.py")), ids=lambda path: path.name)
def test_the_runtime_needs_the_standard_library_alone(module: Path) -> None:
    tree = ast.parse(module.read_bytes())
    absolute = {name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for name in _names(node)}
    absolute |= {
        (node.module or "").split(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and not node.level
    }
    # Python 3.12 no longer has `_sha256`; `hashing` does without it there.
    assert absolute - {"_sha256"} <= sys.stdlib_module_names
    parents = {node.level for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert parents <= {0, 1}, "a bundle holds the runtime alone: nothing above it can be imported"
    called = {node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
    assert not called & {"eval", "exec", "compile", "__import__"}


def _names(node: ast.Import) -> list[str]:
    return [alias.name for alias in node.names]


def test_the_runtime_starts_without_site_packages(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE / "runtime", tmp_path / "resolver", ignore=shutil.ignore_patterns("__pycache__"))
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import resolver; resolver.Bundle"
    subprocess.run([sys.executable, "-I", "-S", "-W", "error", "-c", code], check=True, timeout=60)


def loaded(arguments: list[str]) -> set[str]:
    """Return the modules outside the standard library that a command loads."""
    code = (
        "import sys; before = set(sys.modules)\n"
        "from frieze.cli import run\n"
        f"run({arguments!r})\n"
        "print(*sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    return {name for name in done.stderr.split() if name.split(".")[0] not in sys.stdlib_module_names}


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["check", "--help"], ["render", "--help"]])
def test_help_loads_click_and_little_else(arguments: list[str]) -> None:
    modules = loaded(arguments)
    assert {name.split(".")[0] for name in modules} == {"click", "frieze"}
    rooms = {".".join(name.split(".")[:2]) for name in modules if name.startswith("frieze.")}
    assert rooms <= {"frieze.cli", "frieze.diagnostics"}


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_modules_stay_small(module: Path) -> None:
    assert module.read_text("utf-8").count("\n") <= 400


def test_the_overview_is_true() -> None:
    """The order of the rooms, the table of rooms and the modules that it names are those of the package."""
    overview = (PACKAGE.parents[1] / "ARCHITECTURE.md").read_text("utf-8")
    line = next(line.strip() for line in overview.splitlines() if line.startswith("    cli > "))
    order = [set(step.split(", ")) for step in line.split(" > ")]
    assert order == [rooms for rooms in reversed(ORDER) if rooms != {"resources"}]
    table = set(re.findall(r"^\| `([a-z]+)` \|", overview, re.MULTILINE))
    assert table == {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").is_file()}
    named = set(re.findall(r"`([a-z]+/[a-z_/]+\.py)`", overview))
    assert {
        name for name in named if not any((root / name).is_file() for root in (PACKAGE, PACKAGE.parents[1]))
    } == set()
