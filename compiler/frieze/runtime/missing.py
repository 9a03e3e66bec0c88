"""Values that are not there: Jinja2's two kinds of undefined, and frieze's absent.

| class | bool | `==` | iteration, length | print | anything else |
|---|---|---|---|---|---|
| `Strict` (Jinja2's `StrictUndefined`) | raises | raises | raises | raises | raises |
| `Plain` (Jinja2's `Undefined`: inline `if` without `else`) | false | true of its own kind | empty | empty | raises |
| `Absent` (a declared input without a value) | false | false | empty | raises | raises |
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from .errors import RenderError


def _fail(value: Missing, *_: Any, **__: Any) -> NoReturn:
    raise RenderError(value.kind, value.message)


class Missing:
    """What the three have in common: any use that is not listed raises, and `repr` never does."""

    __slots__ = ("message",)
    kind = "UndefinedError"

    def __init__(self, message: str) -> None:
        self.message = message

    def __getattr__(self, name: str) -> NoReturn:
        # Python looks for protocol methods this way and expects an AttributeError.
        if name[:2] == "__" and name[-2:] == "__":
            raise AttributeError(name)
        _fail(self)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = __pow__ = __rpow__ = _fail
    __pos__ = __neg__ = __int__ = __float__ = __complex__ = _fail
    __lt__ = __le__ = __gt__ = __ge__ = _fail
    __call__ = __getitem__ = _fail

    def __repr__(self) -> str:
        return "Undefined"


class Strict(Missing):
    """A name, attribute or element that is not there: it can only be asked whether it is defined."""

    __slots__ = ()
    __iter__ = __str__ = __len__ = __eq__ = __ne__ = __bool__ = __hash__ = __contains__ = _fail


class Plain(Missing):
    """The value of an inline `if` that has no `else`: empty text that is not defined."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return type(other) is Plain

    def __hash__(self) -> int:
        return id(Plain)

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __str__(self) -> str:
        return ""

    def __len__(self) -> int:
        return 0


class Absent(Missing):
    """An input without a value: false, equal to nothing, without elements; `ABSENT` is the only one."""

    __slots__ = ()
    kind = "AbsentValue"
    __str__ = __contains__ = _fail

    def __eq__(self, other: object) -> bool:
        return False

    def __hash__(self) -> int:
        return id(Absent)

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __repr__(self) -> str:
        return "ABSENT"

    def __copy__(self) -> Absent:
        return self

    def __deepcopy__(self, _: Any) -> Absent:
        return self

    def __reduce__(self) -> str:
        return "ABSENT"


ABSENT = Absent("a value is used that may be absent")


def undefined_name(name: str) -> Strict:
    """Return the value of a name that nobody bound."""
    return Strict(f"{name!r} is undefined")


def undefined_member(owner: Any, name: Any) -> Strict:
    """Return the value of an attribute or element that `owner` does not have."""
    what = "None" if owner is None else f"{type(owner).__name__} object"
    if isinstance(name, str):
        return Strict(f"{what!r} has no attribute {name!r}")
    return Strict(f"{what} has no element {name!r}")
