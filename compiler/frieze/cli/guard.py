"""`frieze guard`: what a policy says of a command, a path or a tool call."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Mapping

    from frieze.runtime.guard import Action, Decision, Guard

FORMATS = ("text", "json")
QUOTED = "If it belongs to COMMAND, put the whole command in quotes: frieze guard 'git push --force'."
WITH_PATH = ("read", "search", "edit", "delete", "move")
"""Actions that need a path."""


class _Quoting(click.Command):
    """Reminds of the quotes where words of the command were taken for arguments and options."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            raise click.UsageError(f"{error.format_message()} {QUOTED}", ctx) from None
        except click.BadParameter:
            raise
        except click.UsageError as error:
            if "unexpected extra argument" not in error.message:
                raise
            raise click.UsageError(f"{error.message}. {QUOTED}", ctx) from None


@click.command("guard", cls=_Quoting, short_help="Say whether a policy allows a command, a path or a tool call.")
@click.argument("command", required=False)
@click.option("--policy", "name", metavar="NAME", default="std/coding", show_default=True, help="The policy.")
@click.option("--mode", metavar="NAME", help="One of the policy's modes; may be left out where there is only one.")
@click.option(
    "--workspace",
    metavar="FOLDER",
    type=click.Path(path_type=Path),
    help="The folder that the agent works in.  [default: the current one]",
)
@click.option(
    "--project",
    metavar="FOLDER",
    type=click.Path(path_type=Path, exists=True),
    help="A project whose policies can be named as well.  [default: the one that the current folder belongs to]",
)
@click.option("--action", "kind", metavar="NAME", help="An action of the vocabulary, such as read, edit or delete.")
@click.option("--path", "target", metavar="PATH", help="What --action is done to.")
@click.option("--tool", metavar="NAME", help="A tool that is called.")
@click.option("--args", "arguments", metavar="JSON", help="The arguments of --tool, an object.")
@click.option("--cwd", metavar="FOLDER", help="The folder that it starts in.  [default: the workspace]")
@click.option("--interactive/--no-interactive", default=True, help="Whether a person can be asked.  [default: yes]")
@click.option("--batch", is_flag=True, help="Answer JSON Lines of standard input, one line for each.")
@click.option(
    "--format", "form", type=click.Choice(FORMATS), default="text", show_default=True, help="How the answer is written."
)
def guard(
    command: str | None,
    name: str,
    mode: str | None,
    workspace: Path | None,
    project: Path | None,
    kind: str | None,
    target: str | None,
    tool: str | None,
    arguments: str | None,
    cwd: str | None,
    interactive: bool,
    batch: bool,
    form: str,
) -> int:
    """Say whether a policy allows something, before it is done. Nothing is run.

    Give a COMMAND in quotes, or --action with --path, or --tool with --args. Outside of a project the policies of the
    library serve: std/coding, std/read-only, std/customer-support, std/full-access.

    Exits with 0 when it is allowed, with 1 when a person has to agree or it is denied, with 2 for wrong usage.

    With --batch each line of standard input is one question: {"command": "..."}, {"action": "read", "path": "..."} or
    {"tool": "...", "args": {...}}, each with "cwd" if it starts elsewhere. Each answer is one line with effect, action,
    rule, risk, reason and confirmation. A line that is no question is answered with deny and an "error", and the rest
    goes on; then the exit code is 1.
    """
    from frieze.cli.output import write

    given = [command is not None, kind is not None, tool is not None, batch]
    if sum(given) != 1:
        raise click.UsageError("Give one of COMMAND, --action, --tool and --batch.")
    if target is not None and kind is None:
        raise click.UsageError("--path is for --action.")
    if arguments is not None and tool is None:
        raise click.UsageError("--args is for --tool.")
    if kind in WITH_PATH and target is None:
        raise click.UsageError(f"--action {kind} needs --path.")
    action = None if batch else _action(command, kind, target, tool, arguments, cwd)
    opened = _open(name, mode, workspace or Path(), project, interactive=interactive)
    if opened is None:
        return 1
    if action is None:
        from frieze.cli.batch import answer_lines

        return answer_lines(opened, sys.stdin.buffer if sys.stdin is not None else None)
    decision = opened.decide(action)
    write(_as_json(decision) if form == "json" else _as_text(decision))
    return 0 if decision.effect == "allow" else 1


def _action(
    command: str | None,
    kind: str | None,
    target: str | None,
    tool: str | None,
    arguments: str | None,
    cwd: str | None,
) -> Action:
    from frieze.runtime.guard import Action
    from frieze.runtime.guard.vocabulary import ACTIONS

    if command is not None:
        return Action("run", command=command, cwd=cwd)
    if tool is not None:
        return Action("tool", tool=tool, args=_arguments(arguments), cwd=cwd)
    if kind not in ACTIONS:
        raise click.BadParameter(f"`{kind}` is none of: {', '.join(ACTIONS)}.", param_hint="--action")
    return Action(kind, path=target, cwd=cwd)


def _arguments(text: str | None) -> dict[str, Any]:
    import json

    try:
        found = json.loads(text or "{}")
    except (ValueError, RecursionError) as error:
        raise click.BadParameter(f"this is not JSON: {error}.", param_hint="--args") from None
    if not isinstance(found, dict):
        raise click.BadParameter("the arguments of a tool are a JSON object.", param_hint="--args")
    return found


def _open(name: str, mode: str | None, workspace: Path, project: Path | None, *, interactive: bool) -> Guard | None:
    """Return the guard, or None where the policy has faults, which are then on stderr."""
    from frieze.cli.output import complain_about
    from frieze.cli.project import find
    from frieze.policy.guarding import UnknownPolicyError, find_table
    from frieze.runtime.guard import Guard, PolicyError

    try:
        root = find(project).root
    except click.UsageError:
        if project is not None:
            raise
        root = None
    try:
        table, faults = find_table(name, root)
        if table is None:
            complain_about(faults)
            return None
        return Guard(table, _mode(table, mode), workspace=str(workspace), interactive=interactive)
    except UnknownPolicyError as error:
        raise click.BadParameter(str(error), param_hint="--policy") from None
    except PolicyError as error:
        raise click.UsageError(f"{str(error)[:1].upper()}{str(error)[1:]}.") from None


def _mode(table: Mapping[str, Any], mode: str | None) -> str:
    modes = sorted(table["modes"])
    if mode is None and len(modes) == 1:
        return str(modes[0])
    if mode is None or mode not in modes:
        said = f"there is no mode `{mode}`" if mode else "no mode is given"
        raise click.BadParameter(f"{said}; `{table['name']}` has: {', '.join(modes)}.", param_hint="--mode")
    return mode


def _as_json(decision: Decision) -> str:
    import json

    return json.dumps(decision.as_data(), indent=2) + "\n"


def _as_text(decision: Decision) -> str:
    head = f"{decision.effect}: {decision.action} (rule {decision.rule}, risk {decision.risk or 'none'})"
    asked = "" if decision.confirmation is None else f"\n\n{decision.confirmation['confirmation_prompt']}"
    return f"{head}\n{decision.message()}{asked}\n"
