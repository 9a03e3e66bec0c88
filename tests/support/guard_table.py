"""A small decision table as the compiler writes them, and a workspace with links, for tests of the guard."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parent.parent / "data" / "guard"

PATHS: dict[str, list[str]] = {
    "deny": [".env", ".env.*", "**/secrets/**", "**/*.pem", "**/*.key", "**/.ssh/**"],
    "except": [],
    "generated": ["src/generated/**", "dist/**", "build/**"],
    "protected": [
        *(".git/**", ".gitmodules", ".gitattributes", ".github/**", ".gitlab-ci.yml", ".husky/**"),
        *(".pre-commit-config.yaml", ".claude/**", ".mcp.json", "AGENTS.md", "CLAUDE.md", "profiles/permissions/**"),
        *(".bashrc", ".profile", ".npmrc", "conftest.py", "sitecustomize.py", ".envrc"),
    ],
    "catastrophic": [".git/**", ".hg/**", ".svn/**"],
}


def cells(**effects: str) -> dict[str, dict[str, Any]]:
    """Return the cells of a mode: action (with `_` for `-`) to effect."""
    return {
        name.replace("_", "-"): {
            "effect": effect,
            "rule": f"mode.{name.replace('_', '-')}",
            "risk": "unknown",
            "confirm": None,
        }
        for name, effect in effects.items()
    }


_IMPLEMENT = {
    **dict.fromkeys(("read", "search", "edit"), "allow"),
    **dict.fromkeys(("test", "run", "install", "network", "delete", "move", "commit", "push"), "ask"),
    **dict.fromkeys(("pull_request", "secrets", "deploy"), "ask"),
}
_INVESTIGATE = {
    **dict.fromkeys(("read", "search"), "allow"),
    **dict.fromkeys(("test", "run", "install", "network"), "ask"),
    **dict.fromkeys(("edit", "delete", "move", "commit", "push", "pull_request", "secrets", "deploy"), "deny"),
}


def table(**changes: Any) -> dict[str, Any]:
    """Return a decision table with two modes, whose top-level fields can be replaced."""
    return {
        "format": 1,
        "name": "std/coding",
        "hash": "0" * 64,
        "shell": "bash",
        "modes": {
            "implement": {
                "cells": cells(**_IMPLEMENT),
                "flags": {"can_edit": True, "can_run_tests": True},
                "description": "Change the project.",
            },
            "investigate": {
                "cells": cells(**_INVESTIGATE),
                "flags": {"can_edit": False, "can_run_tests": True},
                "description": "Look, change nothing.",
            },
        },
        "entries": [],
        "paths": {name: list(patterns) for name, patterns in PATHS.items()},
        "programs": {},
        "wrappers": {},
        "assignments": {"harmless": ["CI", "LANG"]},
        "aliases": {},
        "executables": {},
        "tools": {
            "read_file": {"action": "read", "paths": ["path"], "commands": [], "hosts": []},
            "run_shell": {"action": "run", "paths": [], "commands": ["command"], "hosts": []},
            "delete_file": {"action": "delete", "paths": ["path"], "commands": [], "hosts": []},
            "fetch_url": {"action": "network", "paths": [], "commands": [], "hosts": ["url"]},
        },
        "secrets": [],
        "sandbox": {
            "mode": "workspace-write",
            "network": "restricted",
            "writable_roots": [],
            "approval": "on-request",
            "reviewer": None,
        },
        "cannot": [],
        **changes,
    }


def decoded(text: str) -> str:
    """Decode the first column of the tables: the inside of a JSON string with `"` left bare."""
    return str(json.loads('"' + text.replace('"', '\\"') + '"'))


def rows(name: str) -> list[list[str]]:
    """Return the rows of a tab-separated table without its heading."""
    lines = (DATA / name).read_text("utf-8").splitlines()[1:]
    return [line.split("\t") for line in lines if line]


def make_workspace(root: Path) -> Path:
    """Make the workspace of `paths_fixture.tsv` in a folder, and return it."""
    for path, kind, target in rows("paths_fixture.tsv"):
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if kind == "symlink":
            place.symlink_to(target)
        else:
            place.write_text(f"content of {path}\n", "utf-8")
    return root
