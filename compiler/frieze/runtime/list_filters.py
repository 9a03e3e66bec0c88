"""Filters on lists and maps, with Jinja2's meaning; the lazy ones are generators, as there.

Names of parameters are Jinja2's, since templates may use them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, groupby
from typing import Any

from .access import Group, follow, own_attribute, steps, text_of
from .arithmetic import bounded
from .errors import RenderError
from .missing import Missing, Strict
from .tests import TESTS

Key = Callable[[Any], Any]


def batch(value: Iterable[Any], linecount: int, fill_with: Any = None) -> Iterator[list[Any]]:
    """Yield lists of `linecount` items, the last filled up."""
    row: list[Any] = []
    for item in value:
        if len(row) == linecount:
            yield row
            row = []
        row.append(item)
    if row:
        if fill_with is not None and len(row) < linecount:
            bounded(linecount)
            row += [fill_with] * (linecount - len(row))
        yield row


def default(value: Any, default_value: Any = "", boolean: Any = False) -> Any:
    """Return `default_value` for what is missing, with `boolean` also for what is false."""
    return default_value if isinstance(value, Missing) or (boolean and not value) else value


def dictsort(value: Any, case_sensitive: Any = False, by: Any = "key", reverse: Any = False) -> list[Any]:
    """Return a map's pairs sorted by key or value."""
    if by not in ("key", "value"):
        raise RenderError("FilterArgumentError", 'You can only sort by either "key" or "value"')
    position = 0 if by == "key" else 1
    return sorted(value.items(), key=lambda pair: _folded(pair[position], case_sensitive), reverse=reverse)


def first(seq: Iterable[Any]) -> Any:
    """Return the first item."""
    return next(iter(seq), _empty("No first item, sequence was empty."))


def last(seq: Any) -> Any:
    """Return the last item of what can be walked backwards."""
    return next(iter(reversed(seq)), _empty("No last item, sequence was empty."))


def group_by(value: Iterable[Any], attribute: Any, default: Any = None, case_sensitive: Any = False) -> list[Group]:
    """Return the items in groups of one value of an attribute, sorted by it."""
    plain = follow(steps(attribute), default)
    key = _key(attribute, case_sensitive, default)
    groups = [(found, list(items)) for found, items in groupby(sorted(value, key=key), key)]
    if case_sensitive:
        return [Group(found, items) for found, items in groups]
    return [Group(plain(items[0]), items) for _, items in groups]


def items(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield the pairs of a map, none for what is missing."""
    if isinstance(value, Missing):
        return
    if not isinstance(value, Mapping):
        raise TypeError("Can only get item pairs from a mapping.")
    yield from value.items()


def join(value: Iterable[Any], d: Any = "", attribute: Any = None) -> str:
    """Return the texts of the items, or of an attribute of them, with `d` between them."""
    if attribute is not None:
        value = map(follow(steps(attribute)), value)
    between = text_of(d)
    texts = list(map(text_of, value))
    bounded(len(between) * len(texts) + sum(map(len, texts)))
    return between.join(texts)


def mapped(value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Yield a filter of each item, or an attribute of it."""
    if value:
        function = _mapper(args, kwargs)
        for item in value:
            yield function(item)


def largest(value: Iterable[Any], case_sensitive: Any = False, attribute: Any = None) -> Any:
    """Return the largest item, by an attribute where one is given."""
    return _extreme(max, value, case_sensitive, attribute)


def smallest(value: Iterable[Any], case_sensitive: Any = False, attribute: Any = None) -> Any:
    """Return the smallest item, by an attribute where one is given."""
    return _extreme(min, value, case_sensitive, attribute)


def reject(value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Return the items that fail a test, lazily."""
    return _picked(value, args, kwargs, wanted=False, by_attribute=False)


def rejectattr(value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Return the items of which an attribute fails a test, lazily."""
    return _picked(value, args, kwargs, wanted=False, by_attribute=True)


def select(value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Return the items that pass a test, lazily."""
    return _picked(value, args, kwargs, wanted=True, by_attribute=False)


def selectattr(value: Any, *args: Any, **kwargs: Any) -> Iterator[Any]:
    """Return the items of which an attribute passes a test, lazily."""
    return _picked(value, args, kwargs, wanted=True, by_attribute=True)


def backwards(value: Any) -> Any:
    """Return a text backwards, or an iterator over the items backwards."""
    if isinstance(value, str):
        return value[::-1]
    try:
        return reversed(value)
    except TypeError:
        try:
            return list(value)[::-1]
        except TypeError:
            raise RenderError("FilterArgumentError", "argument must be iterable") from None


def columns(value: Iterable[Any], slices: int, fill_with: Any = None) -> Iterator[list[Any]]:
    """Yield the items in `slices` lists of nearly equal length, the shorter ones filled up."""
    seq = list(value)
    length, longer = divmod(len(seq), slices)
    bounded(slices)
    start = 0
    for number in range(slices):
        end = start + length + (number < longer)
        column = seq[start:end]
        if fill_with is not None and number >= longer:
            column.append(fill_with)
        yield column
        start = end


def sort(value: Iterable[Any], reverse: Any = False, case_sensitive: Any = False, attribute: Any = None) -> list[Any]:
    """Return the items sorted, by one or (`"a,b.c"`) several attributes; equal ones keep their order."""
    names = attribute.split(",") if isinstance(attribute, str) else [attribute]
    keys = [_key(name, case_sensitive) for name in names]
    return sorted(value, key=lambda item: [key(item) for key in keys], reverse=reverse)


def total(iterable: Iterable[Any], attribute: Any = None, start: Any = 0) -> Any:
    """Return the sum of the items, or of an attribute of them."""
    if attribute is not None:
        iterable = map(follow(steps(attribute)), iterable)
    return sum(iterable, start)


def unique(value: Iterable[Any], case_sensitive: Any = False, attribute: Any = None) -> Iterator[Any]:
    """Yield the items whose key was not there before."""
    key = _key(attribute, case_sensitive)
    seen = set()
    for item in value:
        found = key(item)
        if found not in seen:
            seen.add(found)
            yield item


def _mapper(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Key:
    if not args and "attribute" in kwargs:
        path, otherwise = kwargs.pop("attribute"), kwargs.pop("default", None)
        if kwargs:
            raise RenderError("FilterArgumentError", f"Unexpected keyword argument {next(iter(kwargs))!r}")
        return follow(steps(path), otherwise)
    if not args:
        raise RenderError("FilterArgumentError", "map requires a filter argument")

    from .operations import FILTERS

    name, *rest = args
    return lambda item: _named(FILTERS, "filter", name)(item, *rest, **kwargs)


def _picked(
    value: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, wanted: bool, by_attribute: bool
) -> Iterator[Any]:
    if not value:
        return
    path: list[Any] = []
    if by_attribute:
        if not args:
            raise RenderError("FilterArgumentError", "Missing parameter for attribute name")
        path, args = steps(args[0]), args[1:]
    subject = follow(path)
    for item in value:
        found = subject(item)
        passed = _named(TESTS, "test", args[0])(found, *args[1:], **kwargs) if args else found
        if bool(passed) is wanted:
            yield item


def _named(table: Mapping[str, Callable[..., Any]], sort_of: str, name: Any) -> Callable[..., Any]:
    function = table.get(name)
    if function is None:
        raise RenderError("TemplateRuntimeError", f"No {sort_of} named {name!r}.")
    return function


def _key(attribute: Any, case_sensitive: Any, default: Any = None) -> Key:
    path = steps(attribute)
    lookup = follow(path, default)
    return lambda item: _folded(lookup(item), case_sensitive)


def _folded(value: Any, case_sensitive: Any) -> Any:
    return value.lower() if isinstance(value, str) and not case_sensitive else value


def _extreme(choose: Callable[..., Any], value: Iterable[Any], case_sensitive: Any, attribute: Any) -> Any:
    rest = iter(value)
    for head in rest:
        return choose(chain([head], rest), key=_key(attribute, case_sensitive))
    return _empty("No aggregated item, sequence was empty.")


def _empty(message: str) -> Strict:
    return Strict(message)


LIST_FILTERS: Mapping[str, Callable[..., Any]] = {
    "attr": own_attribute,
    "batch": batch,
    "count": len,
    "d": default,
    "default": default,
    "dictsort": dictsort,
    "first": first,
    "groupby": group_by,
    "items": items,
    "join": join,
    "last": last,
    "length": len,
    "list": list,
    "map": mapped,
    "max": largest,
    "min": smallest,
    "reject": reject,
    "rejectattr": rejectattr,
    "reverse": backwards,
    "select": select,
    "selectattr": selectattr,
    "slice": columns,
    "sort": sort,
    "sum": total,
    "unique": unique,
}
