"""A small client for the YAML language server that editors use, over its standard input and output."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from threading import Timer
from typing import Any, Self

CHECKOUT = Path(__file__).parents[2]
NODE = CHECKOUT / ".venv/bin/node"
"""Where the set-up puts Node on machines without one."""

SERVER = CHECKOUT / ".venv/node/node_modules/yaml-language-server/bin/yaml-language-server"

PATIENCE = 120
"""Seconds that one server may run."""


class LanguageServer:
    """One running server; use it as a context manager."""

    def __init__(self) -> None:
        assert SERVER.is_file(), f"{SERVER} is missing; `.ci/setup node` installs it"
        self.process = subprocess.Popen(
            [NODE if NODE.exists() else "node", SERVER, "--stdio"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        # A server that says nothing would hold up the tests for ever.
        self.watch = Timer(PATIENCE, self.process.kill)
        self.watch.start()
        self.last = 0
        self.published: dict[str, list[dict[str, Any]]] = {}
        self.request("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self.send({"method": "initialized", "params": {}})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.watch.cancel()
        self.process.kill()
        self.process.communicate()

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        assert self.process.stdin
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout
        length = 0
        while line := self.process.stdout.readline().strip():
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                length = int(value)
        assert length, "the language server has ended"
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message

    def request(self, method: str, params: Any) -> Any:
        """Return the result of one request; what the server says meanwhile is handled."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.last and "method" not in message:
                assert "error" not in message, message
                return message["result"]
            self.handle(message)

    def handle(self, message: dict[str, Any]) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "id" in message:
            items = message["params"].get("items", []) if message["method"] == "workspace/configuration" else []
            self.send({"id": message["id"], "result": [{} for _ in items] or None})

    def open(self, path: Path, text: str) -> str:
        """Open a document, wait until it was checked, and return its URI."""
        uri = path.as_uri()
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.send({"method": "textDocument/didOpen", "params": {"textDocument": document}})
        while uri not in self.published:
            self.handle(self.receive())
        return uri

    def complaints(self, uri: str) -> list[tuple[int, int, int, str]]:
        """Return (line, first column, last column, message) of what the server marks, counted from 0."""
        return [
            (
                row["range"]["start"]["line"],
                row["range"]["start"]["character"],
                row["range"]["end"]["character"],
                row["message"],
            )
            for row in self.published[uri]
        ]

    def completions(self, uri: str, line: int, column: int) -> list[str]:
        """Return the labels that the server offers at a place."""
        found = self.request("textDocument/completion", self._place(uri, line, column))
        return [item["label"] for item in found["items"]]

    def hover(self, uri: str, line: int, column: int) -> str:
        """Return the text that the server shows at a place, without Markdown's backslashes."""
        found = self.request("textDocument/hover", self._place(uri, line, column))
        return found["contents"]["value"].replace("\\", "") if found else ""

    def _place(self, uri: str, line: int, column: int) -> dict[str, Any]:
        return {"textDocument": {"uri": uri}, "position": {"line": line, "character": column}}
