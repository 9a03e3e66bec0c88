"""The guard of one policy in one mode: what may be done, what a person must agree to, what may not be done.

The answer is the strictest of all that is found. Where no person can be asked, `ask` is `deny`. Whatever goes wrong in
here is never an `allow`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from os import PathLike
from typing import Any

from .confirm import GENERATED, confirmation
from .decisions import CONFIRMATION_UNAVAILABLE, CONFIRMED, FAILURE, Action, Decision
from .judging import Judged, Judging, describes
from .masking import Masker
from .paths import PathJudge
from .policy import Policy, PolicyError
from .resolving import UnresolvedError
from .results import MOST_OUTPUT, result
from .tokens import LIFETIME, Tokens, digest
from .vocabulary import Finding, strictest


class Guard:
    """Decides what one policy allows in one mode. Safe to share between threads.

    Args:
        table: the policy's decision table, as a bundle holds it, or a `Policy` made of one.
        mode: one of the table's modes.
        workspace: the folder to work in.
        interactive: whether a person can be asked.
        home: the person's home folder; without it that of this process.
        clock: seconds that never go back, for tokens.
        lifetime: seconds for which an approval holds.

    Raises:
        PolicyError: the table is none, or has no such mode.
    """

    __slots__ = ("_judging", "_masker", "_policy", "_tokens", "interactive", "mode", "workspace")

    def __init__(
        self,
        table: Mapping[str, Any] | Policy,
        mode: str,
        *,
        workspace: str | PathLike[str],
        interactive: bool = True,
        home: str | None = None,
        clock: Callable[[], float] = time.monotonic,
        lifetime: float = LIFETIME,
    ) -> None:
        self._policy = table if isinstance(table, Policy) else Policy(table)
        self.mode = self._policy.checked_mode(mode)
        try:
            paths = PathJudge(
                self._policy.table["paths"],
                workspace,
                home=home,
                roots=self._policy.roots,
                outside=self._policy.outside,
                entries=self._policy.entries_of_paths(mode),
            )
            self._judging = Judging(self._policy, mode, paths)
            self._masker = Masker(self._policy.table["secrets"])
        except (LookupError, TypeError, ValueError, OSError, UnresolvedError) as error:
            raise PolicyError(f"the guard cannot start: {error}") from None
        self.workspace = paths.workspace
        self.interactive = interactive is True and self._policy.approval != "never"
        self._tokens = Tokens(clock, lifetime)

    @property
    def policy(self) -> str:
        """The policy's name."""
        return self._policy.name

    def decide(self, action: Action, token: str | None = None) -> Decision:
        """Decide about an action.

        Args:
            action: what is to be done.
            token: what `approve` returned, where a person has agreed to exactly this.
        """
        try:
            return self._answered(self._judging.judge(action), token)
        except Exception as error:  # noqa: BLE001 - whatever fails in a guard must not become an allow
            return self._failed(action, error)

    def check_tool(
        self, name: str, args: Mapping[str, Any], token: str | None = None, *, cwd: str | None = None
    ) -> Decision:
        """Decide about a call of a tool; see `decide`."""
        return self.decide(Action("tool", tool=name, args=args, cwd=cwd), token)

    def approve(self, confirmation: Mapping[str, Any]) -> str:
        """Return a token for a confirmation that a person has agreed to; for the host, never for the model.

        The token is good once, for a few minutes, for exactly what the confirmation describes.

        Raises:
            ConfirmationError: the confirmation is not one of this guard's, was changed, or was approved already.
        """
        return self._tokens.approve(confirmation)

    def mask(self, text: str) -> str:
        """Return a text with a mark in the place of every secret that the policy's rules know."""
        return self._masker.mask(text)

    def result(
        self,
        tool: str,
        decision: Decision | None = None,
        *,
        command: str | None = None,
        exit_code: int | None = None,
        stdout: str | bytes = "",
        stderr: str | bytes = "",
        limit: int = MOST_OUTPUT,
    ) -> dict[str, Any]:
        """Return what came of a tool call, for the model: masked, and never a success that was none.

        Args:
            tool: the tool's name.
            decision: the guard's answer, where it was not `allow`: then nothing ran.
            command: the command that ran.
            exit_code: how it ended; 0 is the only success, and a tool without a process says 0 when it is done.
            stdout: what it printed; masked, then cut to `limit` characters.
            stderr: what it printed about errors, likewise.
            limit: characters of each output that are kept.
        """
        effect, reason = ("allow", "") if decision is None else (decision.effect, decision.message())
        return result(
            tool,
            self._masker.mask,
            command=command,
            exit_code=exit_code,
            stdout=stdout,
            stderr=stderr,
            effect=effect,
            reason=reason,
            limit=limit,
        )

    def _answered(self, judged: Judged, token: str | None) -> Decision:
        """Return the strictest of what was found, as an answer."""
        effect = strictest(finding.effect for finding in judged.findings)
        chosen = self._policy.most_telling(finding for finding in judged.findings if finding.effect == effect)
        given = (chosen.action, chosen.rule, chosen.risk)
        if effect != "ask":
            return Decision(effect, *given, chosen.reason, None, judged.findings)
        if not self._can_ask(judged.findings):
            return Decision("deny", *given, CONFIRMATION_UNAVAILABLE, None, judged.findings)
        subject = judged.subject()
        if subject.generated and chosen.action == "delete":
            chosen = chosen._replace(risk=GENERATED)
            given = (chosen.action, chosen.rule, chosen.risk)
        bound = digest({**subject._asdict(), "policy": self._policy.hash, "mode": self.mode})
        if token is not None and self._tokens.redeem(token, bound):
            return Decision("allow", *given, CONFIRMED, None, judged.findings)
        template = self._policy.question(self.mode, chosen)
        data = confirmation(subject, judged.findings, chosen, template)
        data["id"] = self._tokens.open(bound, data)
        return Decision("ask", *given, chosen.reason, data, judged.findings)

    def _can_ask(self, findings: tuple[Finding, ...]) -> bool:
        """Tell whether a person can be asked about all that asks; under granular approval each kind has its switch."""
        if not self.interactive:
            return False
        asking = [finding.rule for finding in findings if finding.effect == "ask"]
        return all(self._policy.may_prompt(rule) for rule in asking)

    def _failed(self, action: Action, error: Exception) -> Decision:
        """Return the answer where something in the guard failed: never an allow, and never an error."""
        reason = f"The guard cannot judge this ({type(error).__name__})."
        finding = Finding("ask", "run", FAILURE, "unknown", reason)
        try:
            if self.interactive and describes(action):
                subject = self._judging.subject(action)
                data = confirmation(subject, (finding,), finding, None)
                # No token can fit: what could not be judged is not bound to anything either.
                data["id"] = self._tokens.open("", data)
                return Decision("ask", "run", FAILURE, "unknown", reason, data, (finding,))
        except Exception:  # noqa: BLE001, S110 - see `decide`; the answer below is the strictest one
            pass
        return Decision("deny", "run", FAILURE, "unknown", reason, None, (Finding("deny", *finding[1:]),))


__all__ = ["Action", "Decision", "Guard"]
