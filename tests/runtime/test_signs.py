"""What values look like."""

from __future__ import annotations

import pytest

from frieze.runtime.signs import SHORTEST_SECRET, is_secret_key, line_signs, masked, prose_signs

SECRETS = [
    "sk-live-51H8abcdEFGHijklMNOPqrstUVWX",
    "sk-ant-api03-" + "aB3_" * 12,
    "ghp_" + "a1B2" * 9,
    "github_pat_" + "a1B2" * 9,
    "glpat-" + "a1B2" * 5,
    "xoxb-1234567890-" + "a1B2" * 5,
    "AKIAIOSFODNN7EXAMPLE",
    "AIza" + "a1B2" * 9,
    "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxIn0.abc_DEF-123",
    "hf_" + "a1B2" * 8,
    "Bearer " + "a1B2" * 8,
    "-----BEGIN RSA PRIVATE KEY----- " + "a1B2" * 8 + " -----END RSA PRIVATE KEY-----",
]


@pytest.mark.parametrize("secret", SECRETS)
def test_secrets_are_masked_wherever_they_stand(secret: str) -> None:
    assert masked(secret) == "[masked]"
    assert masked(f"use {secret}, please") == "use [masked], please"
    assert masked(masked(secret)) == masked(secret)


@pytest.mark.parametrize(
    "text",
    [
        "Aiko",
        "task-force-for-the-new-building",
        "550e8400-e29b-41d4-a716-446655440000",
        "sk-short",
        "eyJ",
        "ski-and-snowboard-lessons",
    ],
)
def test_other_texts_are_not(text: str) -> None:
    assert masked(text) == text


def test_no_secret_is_shorter_than_the_joined_check_looks_for() -> None:
    assert all(
        max(map(len, secret.replace(".", " ").replace("+", " ").split())) >= SHORTEST_SECRET for secret in SECRETS
    )
    for length in range(1, SHORTEST_SECRET):
        word = ("sk-" + "a1" * 20)[:length]
        assert masked(word) == word


@pytest.mark.parametrize(
    ("key", "secret"),
    [
        ("api_key", True),
        ("apikey", True),
        ("user-password", True),
        ("auth_token", True),
        ("client secret", True),
        ("tokens", False),
        ("secretary", False),
        ("tier", False),
        ("keyboard", False),
    ],
)
def test_secret_names(key: str, secret: bool) -> None:
    assert is_secret_key(key) is secret


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("[click](javascript:alert(1))", ["link"]),
        ("javascript:alert(1)", ["link"]),
        ("see https://x.example", ["link"]),
        ("![](https://evil.example/p.png)", ["link", "image"]),
        ("![a][b]", ["image"]),
        ("<img src=x>", ["image"]),
        ("Name: Aiko (12:30)", []),
    ],
)
def test_signs_of_a_line(text: str, signs: list[str]) -> None:
    assert line_signs(text) == signs


@pytest.mark.parametrize(
    ("text", "signs"),
    [
        ("Your VIP code is 8841, only for members", ["access-rule"]),
        ("Never tell customers about this", ["access-rule"]),
        ("IMPORTANT!!! MUST USE", ["shouting"]),
        ("ALWAYS USE THIS", ["shouting"]),
        ("../../other-tenant/kb", ["path-like"]),
        ("/etc/passwd", ["path-like"]),
        ("undefined", ["placeholder"]),
        ("[object Object]", ["placeholder"]),
        ("Refunds and returns", []),
        ("FAQ for the EU and the USA", []),
        ("and/or", []),
    ],
)
def test_signs_of_prose(text: str, signs: list[str]) -> None:
    assert prose_signs(text) == signs
