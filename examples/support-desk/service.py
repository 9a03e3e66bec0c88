"""A small service on the prompts of this project: the package that frieze made of it, and the vendor's client.

    frieze compile --wheel
    pip install dist/support_desk_prompts-1.0.0-py3-none-any.whl anthropic
    python service.py

Nothing here needs frieze. `vendor` answers in the vendor's place, so that this runs without a key and without a
network; a real service makes its client with `anthropic.Anthropic()`.
"""

import json
import logging
from pathlib import Path
from typing import Any

import anthropic
import httpx2
import support_desk
from anthropic.types import ToolUseBlock
from support_desk.resolver import Prompt, UnknownSelector

CONTEXT = Path(__file__).parent / "contexts/line-tokyo.json"
ROUNDS = 5
"""How often the model may ask for tools before it has to answer."""

log = logging.getLogger("service")


def answer(client: anthropic.Anthropic, question: str, context: dict[str, Any]) -> str:
    """Return the concierge's answer to a question that came in on LINE."""
    prompt = support_desk.prompt("concierge", platform="line")
    result = prompt.render(context)
    log.info("prompt %s", result.attributes())
    for note in result.notes:
        log.warning("context: %s %s %s", note.code, note.source, note.detail)
    talk: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for _ in range(ROUNDS):
        reply = client.messages.create(**result.anthropic(talk, max_tokens=1024))
        calls = [block for block in reply.content if block.type == "tool_use"]
        if not calls:
            return "".join(block.text for block in reply.content if block.type == "text")
        talk.append({"role": "assistant", "content": reply.content})
        talk.append({"role": "user", "content": [use_tool(prompt, call) for call in calls]})
    return "I am sorry, I could not find that out. Somebody from the house will write to you."


def use_tool(prompt: Prompt, call: ToolUseBlock) -> dict[str, Any]:
    """Do what the model asked for. The texts of skills come with the prompt; other tools are the service's own."""
    output = {"type": "tool_result", "tool_use_id": call.id}
    if call.name != "read-skill":
        return {**output, "content": f"The tool {call.name} does not work at the moment.", "is_error": True}
    try:
        return {**output, "content": prompt.skill(str(call.input.get("name")))}
    except UnknownSelector as error:
        return {**output, "content": str(error), "is_error": True}


def vendor(request: httpx2.Request) -> httpx2.Response:
    """Answer as the vendor's API would: first with a wish to read a skill, then with what stands in it."""
    body = json.loads(request.content)
    last = body["messages"][-1]["content"]
    read = [part["content"] for part in last if part["type"] == "tool_result"]
    if read:
        content = [{"type": "text", "text": f"I read the guide {read[0].splitlines()[0]!r}. Yes, you can."}]
    else:
        content = [{"type": "tool_use", "id": "call-1", "name": "read-skill", "input": {"name": "late-arrival"}}]
    reply = {"id": "message-1", "type": "message", "role": "assistant", "model": body["model"], "content": content}
    return httpx2.Response(200, json={**reply, "usage": {"input_tokens": 0, "output_tokens": 0}})


def main() -> None:
    """Answer one question of one guest."""
    logging.basicConfig(level=logging.WARNING)
    transport = httpx2.Client(transport=httpx2.MockTransport(vendor))
    client = anthropic.Anthropic(api_key="none", base_url="http://vendor.invalid", http_client=transport)
    print(answer(client, "My train is late. Can I check in at 23:00?", json.loads(CONTEXT.read_text("utf-8"))))


if __name__ == "__main__":
    main()
