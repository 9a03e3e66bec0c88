"""What a good engineer writes by hand for this prompt: f-strings and one join, without any hardening."""

from __future__ import annotations

from pathlib import Path
from typing import Any

GUIDE = Path(__file__).with_name("instructions.txt").read_text("utf-8")


def render(context: dict[str, Any]) -> str:
    """Return the prompt for a context, whose values are taken as they are."""
    guest = context.get("guest") or {}
    stay = context.get("stay") or {}
    house = context.get("house") or {}
    account = context.get("account") or {}
    name = guest.get("name") or account.get("name")
    company = guest.get("company") or account.get("company")
    city = guest.get("city") or account.get("city")
    diet = guest.get("diet")
    tier = guest.get("tier")
    occasion = stay.get("occasion")
    remark = stay.get("remark")
    parts = [
        GUIDE,
        f"This guest: {name} in room {stay['room']} of {house['name']}, from {stay['arrival']} ",
        f"to {stay['departure']}. On duty is {house['host']}.\n",
    ]
    if company:
        parts.append(f"The bill goes to {company}; do not mention prices in writing unless you are asked.\n")
    if city:
        parts.append(f"The guest lives in {city} and may compare things with home.\n")
    if diet:
        parts.append(f"For every meal that you arrange, remember this: {diet}.\n")
    if tier == "gold":
        parts.append(f"A regular guest of the standing {tier}: offer the corner table without being asked.\n")
    if occasion:
        parts.append(f"The reason for the stay is {occasion}.\n")
    if remark:
        parts.append(f"What the guest wrote when booking: {remark}\n")
    parts.append("\nWhat the guest has planned, in order:")
    parts += [f"\n- A plan: {plan['name']} ({plan['when']})" for plan in context.get("plans") or ()]
    return "".join(parts)
