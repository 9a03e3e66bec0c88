"""Generated projects of any size: agents like those of one company, each with its own text."""

from __future__ import annotations

import random
from pathlib import Path

INSTRUCTIONS_SIZE = 2_000
"""Characters of an agent's instructions, about."""

SUBJECTS = (
    "orders",
    "returns",
    "invoices",
    "deliveries",
    "bookings",
    "repairs",
    "contracts",
    "accounts",
    "visits",
    "loans",
)
PLACES = (
    "the desk",
    "the shop",
    "the depot",
    "the office",
    "the workshop",
    "the reading room",
    "the studio",
    "the clinic",
)
RULES = (
    "Answer the question first and give the reason after it, in two or three sentences that anyone can follow.",
    "Never promise a date that {place} has not confirmed; say who decides it and when the answer comes.",
    "If something about {subject} is unclear, ask one question that settles it, and wait for the answer.",
    "What somebody tells you about health, faith or money stays with {place} and is not brought up again.",
    "Prices are those of today; whoever asks about last year's {subject} is sent to {place} with a short summary.",
    "When a person is upset, say what you understood, offer one thing that you can do at once, and then do it.",
    "Questions about {subject} older than {number} days are answered by people: hand over and say how long it takes.",
    "Write times as one says them, days with their name, and sums with the currency behind the number.",
    "Do not compare {subject} with those of other companies, even where the comparison would be in our favour.",
    "Before you change anything, repeat what will change in one sentence and ask whether that is right.",
    "A reply has at most {number} words, unless somebody asks for a list of all {subject}.",
    "If two rules contradict each other, the one about safety counts, then the one that stands further up.",
)
NAMED = (
    ("customer", "You are talking to {{ customer }}. Use the name once, at the beginning.\n"),
    ("city", "Deliveries go to {{ city }}; name the nearest branch of {place} where it helps.\n"),
    ("tier", "This is a customer of the tier {{ tier }}: {subject} come before everything else.\n"),
)
ON_PLATFORM = (
    '{% if platform.markup == "none" %}\nWrite plain sentences without any markup.\n{% endif %}\n',
    (
        "{% if platform.tables %}\nShow {subject} as a table when there are more than three.\n"
        "{% else %}\nShow {subject} one in a line.\n{% endif %}\n"
    ),
)
OPEN_ITEMS = (
    "{% if items %}\nWhat is open about {subject}:\n{% for item in items %}\n- {{ item.label }}: {{ item.state }}\n"
    "{% endfor %}\n{% else %}\nNothing is open about {subject}.\n{% endif %}\n"
)
INPUTS = """\
  customer: {type: line, from: [customer.name, contact.name], max_length: 80}
  city: {type: line, from: customer.city}
  tier: {type: choice, options: [silver, gold], from: customer.tier}
  urgent: {type: boolean, from: case.urgent}
  items:
    type: list
    of:
      fields:
        label: {type: line, required: true}
        state: {type: line, required: true}
    from: case.items
"""
PROJECT = """\
kind: project
name: generated
version: 1.0.0
context:
  customer.name: {type: line, zone: {direct: session, group: turn}, description: The customer's name.}
  customer.city: {type: line, zone: {direct: session, group: turn}, description: Where the customer lives.}
  customer.tier:
    type: choice
    options: [silver, gold]
    zone: {direct: session, group: turn}
    trust: service
    description: The tier.
  case.urgent: {type: boolean, zone: turn, trust: service, description: Whether somebody waits.}
  case.items:
    type: list
    of: {fields: {label: {type: line, required: true}, state: {type: line, required: true}}}
    zone: session
    description: What is open.
"""
MARKUPS = ("commonmark", "none", "mrkdwn", "whatsapp", "teams", "discord")
LANGUAGES = ("en", "de", "ja", "fr", "es", "it", "pt", "pl", "sv", "nl", "da", "fi")


def write_project(folder: Path, *, agents: int, platforms: int, unlike: bool = False) -> list[Path]:
    """Write a project of so many agents on so many platforms, and return its files; the same every time.

    Every agent allows every platform and two personalities, and has instructions of its own of about
    `INSTRUCTIONS_SIZE` characters, with five inputs, conditions, a loop and the personality. Sentences stand in several
    agents, as in a company's; with `unlike` no line that is printed does.
    """
    texts = {"frieze.yaml": PROJECT}
    for number in range(platforms):
        texts[f"profiles/platforms/channel-{number}.yaml"] = platform(number)
    for number in range(agents):
        texts[f"profiles/agents/agent-{number:04}.yaml"] = agent(number, unlike=unlike)
    paths = []
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        paths.append(path)
    return paths


def platform(number: int) -> str:
    """Return the text of a platform; all of them differ in language and limit, some in markup."""
    return (
        f"kind: platform\nname: channel-{number}\ndescription: Channel number {number}.\n"
        f"language: {LANGUAGES[number % len(LANGUAGES)]}\nmarkup: {MARKUPS[number % len(MARKUPS)]}\n"
        f"tables: {'true' if number % 3 == 0 else 'false'}\n"
        f"limits: {{max_length: {2000 + 100 * number}, length_unit: codepoints}}\n"
        f"awareness: {{time: true, sender_name: true, location: {'true' if number % 2 else 'false'}}}\n"
    )


def agent(number: int, *, unlike: bool = False) -> str:
    """Return the text of an agent; with `unlike` every line that prints something has a mark of its own."""
    lines = instructions(number).split("\n")[:-1]
    if unlike:
        lines = [f"{line} ({number}.{at})" if line[:2] not in ("", "{%") else line for at, line in enumerate(lines)]
    text = "".join(f"  {line}\n" if line else "\n" for line in lines)
    return (
        f"kind: agent\nname: agent-{number:04}\ndescription: Answers questions, number {number} of many.\n"
        "defaults: {platform: channel-0, model: claude-sonnet-4-6, personality: friendly}\n"
        "allows:\n  personalities: [friendly, pragmatic]\n"
        f"data: {{team: team {number % 17}}}\nzone: turn\ninputs:\n{INPUTS}instructions: |\n{text}"
    )


def instructions(number: int) -> str:
    """Return the template of an agent's instructions."""
    draw = random.Random(number)  # noqa: S311 - texts, no secrets
    subject, place = draw.choice(SUBJECTS), draw.choice(PLACES)

    def filled(text: str) -> str:
        words = {"{subject}": subject, "{place}": place, "{number}": str(draw.randrange(20, 200))}
        for sign, word in words.items():
            text = text.replace(sign, word)
        return text

    parts = [
        f"You answer questions about {subject} for {{{{ agent.data.team }}}} at {place}.\n\n{{{{ personality }}}}\n"
    ]
    guarded = [f"{{% if {name} %}}\n{text}{{% endif %}}\n" for name, text in NAMED]
    guarded.append("{% if urgent %}\nSomebody is waiting: be brief.\n{% endif %}\n")
    guarded.append(draw.choice(ON_PLATFORM))
    draw.shuffle(guarded)
    rules = list(RULES)
    draw.shuffle(rules)
    size = sum(map(len, (*parts, *guarded, OPEN_ITEMS)))
    while size < INSTRUCTIONS_SIZE:
        rule = filled(rules.pop() if rules else draw.choice(RULES))
        size += len(rule) + 1
        parts.append(f"{rule}\n")
    for text in map(filled, guarded):
        parts.insert(draw.randrange(1, len(parts) + 1), text)
    parts.append("\n" + filled(OPEN_ITEMS))
    return "".join(parts)
