"""`freeze` with hardening: printed forms are kept whole, and declared types are proven like a profile's."""

from __future__ import annotations

import pytest

from frieze.template import UnsupportedTemplate, freeze


@pytest.mark.parametrize("template", ["{{ xs }}", "Hi {{ xs | first }}", "Hi {{ n | upper(1) }}", "{{ n }} is here"])
def test_declared_types_are_held_to_the_rules_of_profiles(template: str) -> None:
    with pytest.raises(UnsupportedTemplate):
        freeze(template, {}, inputs={"xs": "list", "n": "line"})


def test_declared_names_are_there() -> None:
    template = freeze("Hi {{ n }}{% if xs %}: {{ xs | first }}{% endif %}", {}, inputs={"xs": "list", "n": "line"})
    assert template.render({"n": "<", "xs": ["a"]}) == "Hi &lt;: a"


@pytest.mark.parametrize(
    "source",
    [
        "{% set p %}{{ u }}{% endset %}{{ p if v else 'x' }}",
        "{% set p %}{{ u }}{% endset %}{% set q = p %}{% if not v %}{% set q = 'x' %}{% endif %}{{ q }}",
        "{% macro m(a) %}{{ a }}{% endmacro %}{% set p = m(u) %}{{ [p, 'x'] | first }}",
        "{{ u | json if v else 'x' }}",
    ],
)
def test_text_in_its_printed_form_is_escaped_once(source: str) -> None:
    text = freeze(source, {}).render({"u": "<", "v": True})
    assert text in ("&lt;", '"\\u003c"')


@pytest.mark.parametrize("use", ["p ~ u", "p | upper", "p | replace('&', '')", "p[:1]", "[p] | map('lower') | join"])
def test_text_in_its_printed_form_is_not_worked_on(use: str) -> None:
    with pytest.raises(UnsupportedTemplate) as caught:
        freeze(f"{{% set p %}}{{{{ u }}}}{{% endset %}}{{{{ {use} }}}}", {})
    assert [diagnostic.code for diagnostic in caught.value.diagnostics] == ["F517"]


def test_two_constants_in_an_argument_list_are_no_name() -> None:
    assert freeze("{{ u | replace('input', 'foo') }}", {}, hardening=False).names == {"u"}
