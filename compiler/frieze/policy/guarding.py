"""Guards for hosts that have no prompt: a policy by its name, of a project or of the library."""

from __future__ import annotations

from pathlib import Path

from frieze.diagnostics import Diagnostic, Severity, nearest
from frieze.policy.shipped import shipped_graph, shipped_table
from frieze.policy.table import Table, decision_table, made_table
from frieze.profiles import load_policies
from frieze.profiles.naming import LIBRARY, is_library
from frieze.runtime.guard import Guard, PolicyError


class UnknownPolicyError(PolicyError):
    """There is no policy of that name.

    Attributes:
        name: what was asked for.
        choices: what can be asked for.
        nearest: those of the choices that `name` could be a slip of, best first.
    """

    def __init__(self, name: str, choices: tuple[str, ...]) -> None:
        super().__init__(name, choices)
        self.name = name
        self.choices = choices
        self.nearest = tuple(nearest(name, choices))

    def __str__(self) -> str:
        hint = f" Did you mean {' or '.join(f'`{name}`' for name in self.nearest)}?" if self.nearest else ""
        return f"There is no policy `{self.name}`.{hint} There are: {', '.join(self.choices)}."


def find_table(name: str, project: Path | None = None) -> tuple[Table | None, list[Diagnostic]]:
    """Return the decision table of a policy, or None and the faults for which there is none.

    Args:
        name: as profiles write it: without `std/` the project's own policy, else the library's.
        project: the project's folder; without one there is only the library.

    Raises:
        UnknownPolicyError: there is no policy of that name.
    """
    graph, faults = (shipped_graph(), []) if project is None else load_policies(project)
    errors = [fault for fault in faults if fault.severity is Severity.ERROR]
    if errors:
        return None, errors
    choices = tuple(sorted(known for known, policy in graph.policies.items() if policy.data.get("modes")))
    qualified = name if name in choices else f"{LIBRARY}{name}"
    if qualified not in choices:
        raise UnknownPolicyError(name, choices)
    if is_library(qualified):  # it was analysed when frieze was released
        return (shipped_table(qualified) if project is None else made_table(graph, qualified)), []
    if qualified.startswith(LIBRARY):
        return made_table(graph, qualified), []
    table, found = decision_table(graph, qualified)
    errors = [fault for fault in found if fault.severity is Severity.ERROR]
    return (None, errors) if errors else (table, [])


def named_guard(
    policy: str, mode: str, workspace: str | Path, project: str | Path | None = None, *, interactive: bool = True
) -> Guard:
    """Return a guard for a policy by its name; see `frieze.guard`.

    Raises:
        PolicyError: there is no such policy or mode, or the policy has faults.
    """
    table, faults = find_table(policy, None if project is None else Path(project))
    if table is None:
        raise PolicyError("; ".join(f"{fault.span.file}:{fault.span.line}: {fault.message}" for fault in faults))
    return Guard(table, mode, workspace=str(workspace), interactive=interactive)
