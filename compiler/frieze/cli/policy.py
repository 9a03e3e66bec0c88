"""`frieze policy`: what a permission policy decides, how its modes differ, and what it cannot stop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from frieze.diagnostics import Diagnostic
    from frieze.policy.report import Comparison, PolicyReport
    from frieze.profiles.declarations import Graph

MOST_DIFFERENCES = 12
"""Cases that are shown where two modes differ in no action as a whole; the JSON form holds all."""


@click.command("policy", short_help="Show what a permission policy decides.")
@click.argument("path", required=False, type=click.Path(path_type=Path))
@click.option("--policy", "name", metavar="NAME", help="One policy.  [default: those of the project]")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="How the report is written.",
)
def policy(path: Path | None, name: str | None, form: str) -> int:
    """Print the decision matrix of each policy, the difference between its modes, and what no policy can stop.

    PATH is the project's folder or its frieze.yaml. Outside of a project the policies of the library are shown.
    """
    from frieze.cli.output import complain_about, write
    from frieze.policy.report import policy_report

    graph, faults = _graph(path)
    shown = []
    for qualified in _chosen(graph, name):
        table, found = _table(graph, qualified)
        faults += found
        if table is not None:
            shown.append(policy_report(graph.policies[qualified], table))
    if faults:
        complain_about(faults, dict(graph.texts))
    if form == "json":
        import json

        write(json.dumps([report.as_data() for report in shown], ensure_ascii=False, indent=2) + "\n")
    else:
        # What holds for several policies is said once, behind the last of them.
        texts = [
            "\n".join(_text(report, ends=report.cannot != following))
            for report, following in zip(shown, [*(each.cannot for each in shown[1:]), None], strict=False)
        ]
        write("\n\n".join(texts) + ("\n" if shown else ""))
    return 1 if any(fault.severity == "error" for fault in faults) else 0


def _graph(path: Path | None) -> tuple[Graph, list[Diagnostic]]:
    from frieze.cli.project import find
    from frieze.profiles import load_policies

    try:
        root = find(path).root
    except click.UsageError:
        if path is not None:
            raise
        root = None
    graph, faults = load_policies(root)
    return graph, list(faults)


def _chosen(graph: Graph, name: str | None) -> list[str]:
    """Return the policies to show: the one that is named, else the project's own, else the library's."""
    from frieze.diagnostics import did_you_mean
    from frieze.profiles.naming import LIBRARY, is_library, listed

    with_modes = [known for known, policy in sorted(graph.policies.items()) if policy.data.get("modes")]
    if name is not None:
        found = next((known for known in (name, LIBRARY + name) if known in with_modes), None)
        if found is None:
            hint = did_you_mean(name, with_modes, f"there are {listed(with_modes)}")
            end = "" if hint.endswith("?") else "."
            raise click.BadParameter(f"there is no policy `{name}`; {hint}{end}", param_hint="--policy")
        return [found]
    own = [known for known in with_modes if not is_library(known)]
    return own or with_modes


def _table(graph: Graph, name: str) -> tuple[dict[str, object] | None, list[Diagnostic]]:
    from frieze.policy import decision_table
    from frieze.policy.table import made_table
    from frieze.profiles.naming import is_library

    if is_library(name):
        return made_table(graph, name), []
    table, faults = decision_table(graph, name)
    return (None if any(fault.severity == "error" for fault in faults) else table), faults


def _text(report: PolicyReport, *, ends: bool) -> Iterator[str]:
    yield f"{report.name}  {report.hash[:16]}"
    yield ""
    rows = [["action", *report.modes]]
    rows += [[action, *(effect for effect, _ in row.values())] for action, row in report.matrix.items()]
    yield from _columns(rows)
    if len(report.modes) > 1:
        yield ""
        yield f"Modes compared, in {report.comparisons[0].cases} cases: every action, kind of path, rule and program"
        for comparison in report.comparisons:
            yield from _comparison(comparison)
    if report.coverage:
        covered = sum(1 for each in report.coverage if each.match)
        yield ""
        yield f"Rules with examples: {covered} of {len(report.coverage)}"
        rows = [["rule", "effect", "match", "not_match"]]
        rows += [[each.rule, each.effect, str(each.match), str(each.not_match)] for each in report.coverage]
        yield from _columns(rows)
    if ends:
        yield ""
        yield "What no policy can stop"
        yield from (f"- {sentence}" for sentence in report.cannot)


def _comparison(comparison: Comparison) -> Iterator[str]:
    from frieze.runtime.guard.vocabulary import ACTIONS

    first, second = comparison.first, comparison.second
    if not comparison.looser:
        yield f"- {first} is no more permissive than {second}"
        return
    yield f"- {first} is more permissive than {second} in {len(comparison.looser)}, among them:"
    actions = [each for each in comparison.looser if each.case in ACTIONS]
    shown = actions or comparison.looser[:MOST_DIFFERENCES]
    yield from (f"    {each.case}: {each.looser}, not {each.stricter}" for each in shown)


def _columns(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield rows of text with columns of the same width."""
    widths = [max(map(len, column)) for column in _turned(rows)]
    for row in rows:
        yield "  ".join(f"{text:<{width}}" for text, width in zip(row, widths, strict=True)).rstrip()


def _turned(rows: Iterable[Sequence[str]]) -> Iterator[tuple[str, ...]]:
    yield from zip(*rows, strict=True)
