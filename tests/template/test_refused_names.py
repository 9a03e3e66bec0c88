"""Where Jinja2 compiles something else than is written, or nothing at all, there is no template."""

from __future__ import annotations

import pytest

from frieze.template import UnsupportedTemplate, freeze

HALF, FULL = "\uff76", "\u30ab"


@pytest.mark.parametrize(
    ("source", "known", "code"),
    [
        ("{% set x | replace(a, 'z') %}q{% endset %}{{ x }}", {}, "F403"),
        ("{% set x | replace(a, 'z') %}q{% endset %}{{ x }}", {"a": "q"}, "F403"),
        (f"{{{{ {HALF} }}}}{{{{ {FULL} }}}}", {}, "F403"),
        (f"{{% set {FULL} = 1 %}}{{% set {HALF} = 2 %}}{{{{ {FULL} }}}}", {}, "F403"),
        (f"{{{{ dict({HALF}=1) }}}}", {}, "F403"),
        ("{% for \uff58 in [1, 2] %}{{ x }}{% endfor %}", {"x": "X"}, "F403"),
        ("{{ a | truncate(5, \uff45nd='!') }}", {}, "F403"),
        ("{% macro m(a, a) %}{{ a }}{% endmacro %}{{ m(1, 2) }}", {}, "F403"),
        ("{% macro m(x) %}{{ x }}{% endmacro %}{{ m(x=a, x=b) }}", {}, "F403"),
        ("{% macro m(caller) %}{{ caller }}{% endmacro %}{{ m(a) }}", {}, "F403"),
        ("{{ 'a{0.foo}b'.format({'foo': 42}) }}", {}, "F410"),
        ("{{ '{0[items]}'.format({'b': 1}) }}", {}, "F410"),
        ("{{ ('a{x.foo}b' | safe).format(x=y) }}", {"y": {"foo": 42}}, "F410"),
        ("{{ '{x.real}'.format_map({'x': 5}) }}", {}, "F410"),
        ("{{ a['__class__'] }}", {}, "F410"),
        ("{{ foo.bar['baz']._undefined_name }}", {}, "F410"),
    ],
)
def test_what_python_reads_otherwise_is_refused(source: str, known: dict[str, object], code: str) -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(source, known, hardening=False)
    assert caught.value.diagnostics[0].code == code
    assert caught.value.line == 1


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ("{% set x | replace(a, 'z') %}q{{ a }}{% endset %}{{ x }}", "zz"),
        (f"{{% set {FULL} = 1 %}}{{{{ {FULL} }}}}{HALF}", f"1{HALF}"),
        ("{% macro m(x, caller=none) %}{{ x }}{% endmacro %}{{ m(x=a) }}", "q"),
        ("{{ '{0}-{x:>3}'.format(1, x=2) }}{{ 'a.b[c]'.format() }}{{ a }}", "1-  2a.b[c]q"),
        ("{{ d['_x'] }}{{ d._x }}", "55"),
    ],
)
def test_what_is_read_as_written_is_kept(source: str, text: str) -> None:
    assert freeze(source, {}, hardening=False).render({"a": "q", "d": {"_x": 5}}) == text
