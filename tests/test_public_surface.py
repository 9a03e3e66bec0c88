"""What others may rely on. A name that comes or goes changes this list on purpose."""

from __future__ import annotations

import importlib
import inspect

import pytest

from frieze.cli import group

PUBLIC = {
    "frieze": ["CheckResult", "CompileResult", "__version__", "check", "compile", "guard", "load", "open_bundle"],
    "frieze.template": [
        "Outcome",
        "Parsed",
        "Question",
        "Template",
        "Unanswered",
        "UnsupportedTemplate",
        "expression",
        "freeze",
        "parse",
        "parse_expression",
        "specialise",
    ],
    "frieze.emit": [
        "Bundle",
        "CanonicalTexts",
        "PartFiles",
        "ShareFiles",
        "Sources",
        "Verified",
        "Wheel",
        "bundle_of",
        "check_bundle",
        "check_wheel",
        "contract_rows",
        "distribution_name",
        "package_name",
        "share_files",
        "verify",
        "wheel_of",
        "write_bundle",
        "write_wheel",
    ],
    "frieze.diagnostics": ["Code", "Diagnostic", "Related", "Severity", "Span", "did_you_mean", "nearest"],
    "frieze.runtime.guard": [
        "CONFIRMATION_UNAVAILABLE",
        "Action",
        "ConfirmationError",
        "Decision",
        "Finding",
        "Guard",
        "Policy",
        "PolicyError",
    ],
    "frieze.runtime": [
        "Base",
        "Bundle",
        "BundleError",
        "Catalog",
        "ContextError",
        "FriezeError",
        "MissingInput",
        "Note",
        "Override",
        "Part",
        "ProjectDocs",
        "Prompt",
        "RenderError",
        "RequestError",
        "Result",
        "Saved",
        "Slug",
        "UnknownSelector",
        "project_docs",
        "restate",
        "strip",
    ],
}

TARGET = ("--agent", "--platform", "--model", "--personality", "--mode", "--audience")
REQUEST = ("--context", "--cwd", "--user-folder", "--now")

COMMANDS = {
    "init": ["folder"],
    "check": ["path", "--format", "--jobs", "--no-cache"],
    "compile": ["path", "--output", "--wheel", "--check", "--jobs", "--no-cache"],
    "verify": ["path"],
    "render": [
        *("path", *TARGET, *REQUEST, "--format", "--no-cache"),
        *("--messages", "--base", "--previous", "--snapshot"),
    ],
    "explain": ["path", *TARGET, *REQUEST, "--format", "--no-cache"],
    "guard": [
        "command",
        *("--policy", "--mode", "--workspace", "--project", "--action", "--path", "--tool", "--args", "--cwd"),
        *("--interactive", "--batch", "--format"),
    ],
    "policy": ["path", "--policy", "--format"],
    "schema": ["kind", "--patch", "--write"],
    "rule": ["code"],
    "bench": ["path", "--agents", "--only", "--format"],
}


@pytest.mark.parametrize("module", PUBLIC)
def test_the_public_names(module: str) -> None:
    loaded = importlib.import_module(module)
    assert sorted(loaded.__all__) == sorted(PUBLIC[module])
    for name in PUBLIC[module]:
        member = getattr(loaded, name)
        if inspect.isclass(member) or inspect.isfunction(member):
            assert inspect.getdoc(member), f"{module}.{name} has no docstring"


def test_the_commands_and_their_options() -> None:
    found = {
        name: [
            parameter.opts[-1] if parameter.opts[-1].startswith("-") else parameter.name for parameter in command.params
        ]
        for name, command in group.commands.items()
    }
    assert found == COMMANDS
