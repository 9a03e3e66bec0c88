"""An independent account of absent values: real Jinja2 with an undefined that has exactly their behaviour."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

import jinja2


class AbsentUsedError(Exception):
    """An absent value was printed or worked on."""


class AbsentUndefined(jinja2.Undefined):
    """False, equal to nothing, without elements; every other use raises `AbsentUsedError`."""

    def _fail_with_undefined_error(self, *_: Any, **__: Any) -> NoReturn:
        raise AbsentUsedError(self._undefined_message)

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _fail_with_undefined_error
    __truediv__ = __rtruediv__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _fail_with_undefined_error
    __pow__ = __rpow__ = __pos__ = __neg__ = __call__ = __getitem__ = _fail_with_undefined_error
    __lt__ = __le__ = __gt__ = __ge__ = __int__ = __float__ = __str__ = __contains__ = _fail_with_undefined_error

    def __getattr__(self, name: str) -> Any:
        if name[:2] == "__":
            raise AttributeError(name)
        self._fail_with_undefined_error()

    def __eq__(self, other: object) -> bool:
        return False

    def __ne__(self, other: object) -> bool:
        return True

    def __hash__(self) -> int:
        return id(type(self))

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def __bool__(self) -> bool:
        return False


ENVIRONMENT = jinja2.Environment(
    undefined=AbsentUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
)


def render(template: str, values: dict[str, Any]) -> str:
    """Render with Jinja2; the names that are not in `values` are absent.

    Raises:
        AbsentUsedError: one of them was printed or worked on.
    """
    return ENVIRONMENT.from_string(template).render(values)
