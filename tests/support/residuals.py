"""Hypothesis strategies for bodies of the residual IR, and for the values that they are rendered with."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

INPUTS = ("a", "b", "c", "m")

texts = st.one_of(st.text(alphabet="xyZ é\n<&>'%0", max_size=6), st.sampled_from(["a", "b", "key", "12", "items"]))
numbers = st.one_of(st.integers(-3, 6), st.sampled_from([0.5, 2.0, -1.5, 1e20]))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
data = st.recursive(
    scalars,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["a", "b", "items"]), inner, max_size=3)
    ),
    max_leaves=8,
)
contexts = st.fixed_dictionaries({}, optional=dict.fromkeys(INPUTS, data))

_ORDER = ["==", "!=", "<", "<=", ">", ">="]
_MEMBERSHIP = ["in", "not in"]
_operators = st.sampled_from(["+", "-", "*", "/", "//", "%", "**"])
_names = st.sampled_from(["a", "b", "zz", "real", "items"])
_fields = st.sampled_from(
    ["index", "index0", "revindex", "revindex0", "first", "last", "length", "depth", "depth0", "previtem", "nextitem"]
)
_plain_filters = st.sampled_from(["upper", "length", "first", "last", "list", "string", "int", "float", "join", "trim"])
_tests = st.sampled_from(["defined", "undefined", "none", "string", "number", "mapping", "sequence", "odd", "true"])


@st.composite
def expressions(draw: st.DrawFn, names: tuple[Any, ...], depth: int = 3, *, displays: bool = True) -> Any:
    """Draw an expression over `names`, expressions themselves.

    Without `displays` no list, and no right side of `in`, holds an input.
    """
    comparisons = st.sampled_from(_ORDER + _MEMBERSHIP if displays else _ORDER)

    def part() -> Any:
        return draw(expressions(names, depth - 1, displays=displays))

    kinds = ["constant", "name", "name", "name"]
    if depth > 0:
        kinds += ["attr", "item", "slice", "not", "and", "or", "cond", "cond2", "cmp", "cmp2", "binary", "sign"]
        kinds += ["concat", "filter", "default", "test", "call", "in"]
        kinds += ["list", "tuple", "dict"] if displays else []
    match draw(st.sampled_from(kinds)):
        case "name" if names:
            return draw(st.sampled_from(names))
        case "list" | "tuple" as kind:
            return [kind, *(part() for _ in range(draw(st.integers(0, 3))))]
        case "dict":
            return ["dict", *([draw(texts), part()] for _ in range(draw(st.integers(0, 2))))]
        case "attr":
            return ["attr", part(), draw(_names)]
        case "item":
            return ["item", part(), draw(st.one_of(_names, st.integers(-1, 2), st.just(part())))]
        case "slice":
            limits = st.one_of(st.none(), st.integers(-2, 3), st.just(part()))
            return ["slice", part(), draw(limits), draw(limits), draw(st.sampled_from([None, 1, -1, 2]))]
        case "not":
            return ["not", part()]
        case "and" | "or" as kind:
            return [kind, part(), part()]
        case "cond":
            return ["cond", part(), part(), part()]
        case "cond2":
            return ["cond", part(), part()]
        case "cmp":
            return ["cmp", part(), [draw(comparisons), part()]]
        case "in":
            members = part() if displays else ["list", *draw(st.lists(scalars, max_size=3))]
            return ["cmp", part(), [draw(st.sampled_from(_MEMBERSHIP)), members]]
        case "cmp2":
            return ["cmp", part(), [draw(comparisons), part()], [draw(comparisons), part()]]
        case "binary":
            return [draw(_operators), part(), part()]
        case "sign":
            return [draw(st.sampled_from(["neg", "pos"])), part()]
        case "concat":
            return ["concat", part(), part()]
        case "filter":
            return ["filter", draw(_plain_filters), part(), [], []]
        case "default":
            return ["filter", "default", part(), [part()], [["boolean", True]] if draw(st.booleans()) else []]
        case "test":
            return ["test", draw(_tests), part(), [], []]
        case "call":
            method = draw(st.sampled_from(["items", "keys", "values", "get"]))
            count = draw(st.integers(1, 2)) if method == "get" else 0
            return ["call", method, part(), [draw(st.one_of(_names, st.just(part()))) for _ in range(count)]]
    return draw(scalars)


@st.composite
def bodies(draw: st.DrawFn, forms: tuple[str, ...] | None = None, *, displays: bool = True) -> list[Any]:
    """Draw a body. With `forms`, outputs are hardened by one of them; the names of locals are never reused."""
    counter = iter(range(1, 1000))

    def block(names: tuple[Any, ...], depth: int) -> tuple[list[Any], tuple[Any, ...]]:
        body: list[Any] = []

        def expression(deep: int = 2) -> Any:
            return draw(expressions(names, deep, displays=displays))

        for _ in range(draw(st.integers(1, 4))):
            kinds = ["text", "out", "out", "out"] + (["if", "for", "for", "let", "capture"] if depth else [])
            match draw(st.sampled_from(kinds)):
                case "text" if not body or not isinstance(body[-1], str):
                    body.append(draw(st.sampled_from(["text", "- ", " 100%\n", "<tag>"])))
                case "out":
                    value = expression()
                    body.append(["out", value] if forms is None else ["out", value, draw(st.sampled_from(forms))])
                case "if":
                    arms = [[expression(), block(names, depth - 1)[0]] for _ in range(draw(st.integers(1, 2)))]
                    body.append(["if", arms, block(names, depth - 1)[0] if draw(st.booleans()) else []])
                case "for":
                    body.append(loop(names, depth, expression()))
                case "let":
                    value, name = expression(3), f"n{next(counter)}#1"
                    body.append(["let", name, value])
                    names = (*names, ["local", name])
                case "capture":
                    inner, name = block(names, depth - 1)[0], f"n{next(counter)}#1"
                    body.append(["capture", name, inner])
                    names = (*names, ["local", name])
        return body, names

    def loop(names: tuple[Any, ...], depth: int, iterable: Any) -> Any:
        targets = [f"n{next(counter)}#1" for _ in range(draw(st.sampled_from([1, 1, 1, 2])))]
        own = tuple(["local", target] for target in targets)
        state = f"loop#{next(counter)}"
        outside = tuple(name for name in names if name[0] != "loop")
        test = draw(expressions((*outside, *own), 2, displays=displays)) if draw(st.booleans()) else None
        fields = tuple(["loop", state, draw(_fields)] for _ in range(draw(st.integers(0, 2))))
        inner, _ = block((*outside, *own, *fields), depth - 1)
        orelse = block(outside, depth - 1)[0] if draw(st.booleans()) else []
        target: Any = targets[0] if len(targets) == 1 else targets
        return ["for", target, iterable, test, inner, orelse, state if fields else None]

    return block(tuple(["input", name] for name in INPUTS), 2)[0]
