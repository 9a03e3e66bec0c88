"""What the resolver raises: values with fields, equality and a sentence for the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class FriezeError(Exception):
    """Anything that the resolver raises. Two errors of one class with equal fields are equal."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FriezeError) and (type(self), self.args) == (type(other), other.args)

    def __hash__(self) -> int:
        return hash((type(self), repr(self.args)))


class RenderError(FriezeError):
    """A template does something that has no result.

    Attributes:
        kind: the error's name: one of Jinja2's (`UndefinedError`, `FilterArgumentError`), one of Python's
            (`ZeroDivisionError`, `TypeError`), or one of frieze's own: `AbsentValue`, `ResultTooLarge`,
            `Unprintable`, `Unsupported`, `SecurityError`.
        message: what happened, without a value of the request where frieze words it.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(kind, message)
        self.kind = kind
        self.message = message

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


class MissingInput(FriezeError):  # noqa: N818 - the public name says what is wrong, not that it is an error
    """Required inputs have no valid value.

    Attributes:
        inputs: `(name, sources)` of each, the sources as paths of the context in the order they were tried.
        target: selector -> chosen value, of the prompt that asked.
    """

    def __init__(self, inputs: tuple[tuple[str, tuple[str, ...]], ...], target: Mapping[str, str | None]) -> None:
        super().__init__(inputs, target)
        self.inputs = inputs
        self.target = target

    def __str__(self) -> str:
        wanted = "; ".join(
            f"`{name}` (pass {_either([f'`{source}`' for source in sources])})" if sources else f"`{name}`"
            for name, sources in self.inputs
        )
        chosen = ", ".join(f"{selector} {value}" for selector, value in self.target.items() if value)
        noun = "a required input has" if len(self.inputs) == 1 else "required inputs have"
        return f"{noun} no valid value: {wanted}" + (f", for {chosen}" if chosen else "")


class UnknownSelector(FriezeError):  # noqa: N818 - see MissingInput
    """A selector was given a value that the bundle was not compiled for, or none where one is needed.

    Attributes:
        selector: `agent`, `platform`, `model`, `personality`, `mode` or `audience`; `skill`, `task` or `policy` where
            one was asked for.
        value: what was asked for; None when nothing was and no default settles it.
        choices: what can be asked for.
        nearest: those of the choices that `value` could be a slip of, best first.
    """

    def __init__(self, selector: str, value: str | None, choices: tuple[str, ...], nearest: tuple[str, ...]) -> None:
        super().__init__(selector, value, choices, nearest)
        self.selector = selector
        self.value = value
        self.choices = choices
        self.nearest = nearest

    @classmethod
    def among(cls, selector: str, value: str | None, choices: tuple[str, ...]) -> UnknownSelector:
        """Return the error with the nearest of the choices."""
        from difflib import get_close_matches

        near = tuple(get_close_matches(value, choices, n=2)) if isinstance(value, str) else ()
        return cls(selector, value, choices, near)

    def __str__(self) -> str:
        listed = ", ".join(self.choices) or "none"
        if self.value is None and not self.choices:
            return f"there is no {self.selector} to choose from"
        if self.value is None:
            return f"no {self.selector} was given and no default settles it; choices: {listed}"
        hint = f", did you mean {_either([f'`{name}`' for name in self.nearest])}?" if self.nearest else ";"
        return f"there is no {self.selector} `{self.value}`{hint} choices: {listed}"


class ContextError(FriezeError):
    """The context of a request, or a branch of it, has the wrong overall shape.

    Attributes:
        path: dotted path of the branch, empty for the whole context.
        expected: the shape that was expected, as in "a map".
        found: the shape that was found, as in "a list".
    """

    def __init__(self, path: str, expected: str, found: str) -> None:
        super().__init__(path, expected, found)
        self.path = path
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        where = f"`{self.path}` of the context" if self.path else "the context"
        return f"{where} must be {self.expected}, not {self.found}"


class RequestError(FriezeError):
    """A vendor's request cannot be made of what was passed.

    Attributes:
        path: what is wrong, as in `messages[2].content`.
        expected: what was expected, as in "a list of messages".
        found: what was found, as in "text".
    """

    def __init__(self, path: str, expected: str, found: str) -> None:
        super().__init__(path, expected, found)
        self.path = path
        self.expected = expected
        self.found = found

    def __str__(self) -> str:
        rest = "; it is left out" if self.found == "left out" else f", not {self.found}"
        return f"`{self.path}` must be {self.expected}{rest}"


class BundleError(FriezeError):
    """A bundle, or a residual template in it, cannot be used.

    Attributes:
        file: path inside the bundle, empty where the residual did not come from a file.
        reason: what is wrong, as the end of a sentence about the file.
    """

    def __init__(self, file: str, reason: str) -> None:
        super().__init__(file, reason)
        self.file = file
        self.reason = reason

    def __str__(self) -> str:
        return f"`{self.file}` {self.reason}" if self.file else f"a residual template {self.reason}"


def _either(names: list[Any]) -> str:
    return " or ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
