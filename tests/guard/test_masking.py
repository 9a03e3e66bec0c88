"""Secrets in the output of tools: what is masked, what is not, and that a large text takes no longer than its size."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from frieze.policy import shipped_table
from frieze.runtime.guard.masking import Masker, pattern_problem

RULES = shipped_table("coding")["secrets"]
MARK = re.compile(r"\[secret:([a-z0-9-]+):[0-9a-f]{8}\]")

KEY = "-----BEGIN {0}PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,A1B2\n\nMIIEpAIBAAKCAQEA\nabc+/=\n-----END {0}PRIVATE KEY-----"

SECRETS = {
    "private-key": [KEY.format("RSA "), KEY.format(""), KEY.format("OPENSSH ").replace("\n", "\\n"), KEY.format("EC ").replace("\n", "\r\n")],
    "age-key": ["AGE-SECRET-KEY-1" + "Q" * 58],
    "anthropic-key": ["sk-ant-api03-" + "aB3_" * 10],
    "openai-key": ["sk-proj-" + "aB3" * 16, "sk-" + "aB3" * 16],
    "aws-access-key": ["AKIA" + "IOSFODNN7EXAMPLE"[:16]],
    "github-token": ["ghp_" + "a1B2" * 9, "gho_" + "a1B2" * 9, "github_pat_" + "a1B2_" * 10],
    "gitlab-token": ["glpat-" + "a1B2" * 5],
    "google-key": ["AIza" + "a1B2-" * 7, "ya29." + "a1B2" * 10],
    "huggingface-token": ["hf_" + "a1B2" * 9],
    "npm-token": ["npm_" + "a1B2" * 9],
    "pypi-token": ["pypi-" + "a1B2" * 20],
    "sendgrid-key": ["SG." + "a1B2" * 5 + "." + "a1B2" * 10],
    "slack-token": ["xoxb-" + "1234-" * 5 + "abc"],
    "stripe-key": ["sk_live_" + "a1B2" * 6],
    "telegram-token": ["1234567890:AA" + "a1B2-" * 6 + "abc"],
    "digitalocean-token": ["dop_v1_" + "a1" * 32],
    "jwt": ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"],
}  # fmt: skip
"""Rule -> made-up secrets that it masks whole."""

WITHIN = [
    ("url-password", "postgres://me:hunter2@db.example/x", "hunter2"),
    ("url-password", "git clone https://:t0k3n@example.com/r", "t0k3n"),
    ("assigned-secret", "DB_PASSWORD=correcthorse", "correcthorse"),
    ("assigned-secret", 'export APP_SECRET="s3cr3t-value"', "s3cr3t-value"),
    ("assigned-secret", "SERVICE_API_KEY=abcdef123", "abcdef123"),
    ("assigned-secret", "MY_SECRET_KEY_BASE=abcdef123", "abcdef123"),
    ("authorization", "Authorization: Bearer abcdef.ghijkl", "abcdef.ghijkl"),
    ("authorization", '"authorization": "Basic dXNlcjpwYXNz"', "dXNlcjpwYXNz"),
    ("aws-secret-key", "aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCY", "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"),
    ("azure-key", "AccountName=x;AccountKey=abcdefghijklmnopqrstuvwx==;", "abcdefghijklmnopqrstuvwx=="),
    ("slack-webhook", "https://hooks.slack.com/services/T000/B000/XXXXXXXXXXXX", "T000/B000/XXXXXXXXXXXX"),
    ("npm-token", "//registry.npmjs.org/:_authToken=abcdef-123456", "abcdef-123456"),
]

KEPT = [
    "token = get_token()",
    "password = os.environ['PASSWORD']",
    "PASSWORD=$DB_PASSWORD",
    "API_KEY=<your key>",
    "TOKEN=",
    "https://example.com:8080/path@v1",
    "scp me@example.com:/x .",
    "sk-learn and task-list",
    "SECRET_SANTA = 'a list of names'",
    "the akia bird, asia, ghp_short",
    "commit 3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d3f2a9c1d",
    "def tokenize(text): return text.split()",
    "[secret:jwt:0a1b2c3d]",
    "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
    "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----",
]


@pytest.fixture(scope="module")
def masker() -> Masker:
    return Masker(RULES)


@pytest.mark.parametrize(("rule", "secret"), [(rule, secret) for rule, found in SECRETS.items() for secret in found])
def test_a_secret_is_gone_and_its_surroundings_stay(rule: str, secret: str, masker: Masker) -> None:
    masked = masker.mask(f"before '{secret}' after\n{secret}\n")
    marks = MARK.findall(masked)
    assert set(marks) == {rule}
    assert len(set(re.findall(MARK.pattern.replace("(", "(?:"), masked))) == 1, "one secret has one mark"
    assert masked.startswith("before '[")
    assert "' after\n[" in masked
    assert secret not in masked


@pytest.mark.parametrize(("rule", "text", "secret"), WITHIN)
def test_only_the_secret_of_a_text_is_masked(rule: str, text: str, secret: str, masker: Masker) -> None:
    masked = masker.mask(text)
    assert MARK.findall(masked) == [rule]
    assert MARK.sub(lambda _: secret, masked) == text


@pytest.mark.parametrize("text", KEPT)
def test_what_is_no_secret_stays(text: str, masker: Masker) -> None:
    assert masker.mask(text) == text


def test_a_key_whose_end_is_cut_off_is_masked_to_the_end(masker: Masker) -> None:
    masked = masker.mask(KEY.format("RSA ")[:90])
    assert MARK.fullmatch(masked)


def test_marks_are_stable_within_a_guard_and_tell_nothing_outside() -> None:
    one, other = Masker(RULES), Masker(RULES)
    secret = SECRETS["github-token"][0]
    assert one.mask(secret) == one.mask(f"{secret}")
    assert one.mask(secret) != other.mask(secret)
    assert one.mask(secret) != one.mask(secret[:-1] + "0")


def test_a_rule_of_ones_own_leaves_marks_alone() -> None:
    masker = Masker([{"id": "own", "keywords": ["secret"], "pattern": "secret[a-z0-9:-]*"}, *RULES], b"salt")
    masked = masker.mask(f"secret-of-mine {SECRETS['github-token'][0]}")
    assert MARK.findall(masked) == ["own", "github-token"]
    assert masker.mask(masked) == masked


def test_secrets_that_overlap_become_one_mark() -> None:
    rules = [
        {"id": "one", "keywords": ["ab"], "pattern": "abcd"},
        {"id": "two", "keywords": ["cd"], "pattern": "cdef|f"},
    ]
    masked = Masker(rules).mask("-abcdef- cdef")
    assert MARK.sub("*", masked) == "-*- *"
    assert MARK.findall(masked) == ["one", "two"]


PIECES = st.one_of(
    st.sampled_from([secret for found in SECRETS.values() for secret in found] + [text for _, text, _ in WITHIN]),
    st.sampled_from(
        ["[secret:jwt:0a1b2c3d]", "sk-", "ghp_", "://", "@", ":", "=", "_TOKEN=", "eyJ", "-----", "\n", " "]
    ),
    st.text(max_size=12),
)


@settings(max_examples=250, deadline=None)
@given(st.lists(PIECES, max_size=8))
def test_masking_twice_masks_once(pieces: list[str]) -> None:
    masker = Masker(RULES, b"salt")
    masked = masker.mask("".join(pieces))
    assert masker.mask(masked) == masked


@settings(max_examples=250, deadline=None)
@given(
    st.sampled_from([secret for found in SECRETS.values() for secret in found]),
    st.text(max_size=30),
    st.text(max_size=30),
)
def test_a_secret_between_blanks_is_always_gone(secret: str, before: str, after: str) -> None:
    assert secret not in Masker(RULES, b"salt").mask(f"{before} {secret} {after}")


@pytest.mark.parametrize(
    "unit",
    ["-----BEGIN PRIVATE KEY-----", "-----BEGIN PRIVATE KEY-----\nabc\n", "eyJ", "eyJ-", "eyJaaaaaaaaaaaaaaaaaa.", "SECRET", "SECRET_", "A_", "://", "://a:", "sk-", "SG.aaaaaaaaaaaaaaaaaaaa.", "1234567890:AA", "authorization: ", "aws_secret_access_key=", "xoxb-", "TOKEN API_KEY= ", "a", "PASSWORD=abcdef ", "ghp_" + "a" * 36 + " "],
)  # fmt: skip
def test_a_megabyte_takes_time_in_proportion(unit: str, masker: Masker) -> None:
    def seconds(size: int) -> float:
        text = unit * (size // len(unit))
        best = 99.0
        for _ in range(2):
            begun = time.process_time()
            masker.mask(text)
            best = min(best, time.process_time() - begun)
        return best

    # A quadratic pattern takes 16 times as long for four times the text, and minutes for a megabyte.
    assert seconds(1_000_000) < 10 * seconds(250_000) + 0.2


@pytest.mark.parametrize(
    "pattern",
    ["(?=a)b", "(?!a)b", "(?<=a)b", "(?<!a)b", r"(a)\1", "(?P<x>a)(?P=x)", "(?>a)", "a++", "a*+", "(a+)+", "(a*b*)*", "((a+)b)*", "(?:a|b+)+", "(a{2,})+", "(a", "[a", "a{2,1}", r"a\Z"],
)  # fmt: skip
def test_patterns_that_are_refused(pattern: str) -> None:
    assert pattern_problem(pattern)
    with pytest.raises(ValueError):
        Masker([{"id": "x", "keywords": ["a"], "pattern": pattern}])


@pytest.mark.parametrize(
    "pattern", [rule["pattern"] for rule in RULES] + ["(?:a|b)+", "(a+)?b", "[(+*)+]+", r"\(a+\)+", "(a{2})+", "[]+]+"]
)
def test_patterns_that_are_taken(pattern: str) -> None:
    assert pattern_problem(pattern) is None
