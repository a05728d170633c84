"""A server that speaks the protocols of embedding services: OpenAI's `/v1/embeddings` and TEI's `/embed`.

    with EmbeddingServer(dimension=8) as server:
        HTTPEmbedder("test", url=server.url + "/v1")

Vectors are made of the text's SHA-256 and have length 3, so that a client which does not normalise is found out.
"""

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from tests.local_server import LocalServer, SilentHandler

Fault = Literal["", "cut", "not_json", "too_few", "not_finite", "wrong_dimension", "without_data"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One scripted response: an error `status` with `headers`, or a reply with a `fault`. `wait` in seconds."""

    status: int = 200
    headers: Mapping[str, str] | None = None
    fault: Fault = ""
    wait: float = 0.0


FINE = Reply()
BROKEN = Reply(status=500)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    path: str
    headers: Mapping[str, str]
    body: Any

    @property
    def texts(self) -> list[str]:
        texts: list[str] = self.body["inputs"] if self.path.endswith("/embed") else self.body["input"]
        return texts


class EmbeddingServer(LocalServer):
    """Answers with the replies in order; the last one repeats. `requests` records what arrived."""

    def __init__(self, *replies: Reply, dimension: int = 8) -> None:
        self.replies = list(replies) or [FINE]
        self.dimension = dimension
        self.requests: list[Request] = []
        super().__init__(_handler(self))

    def next_reply(self, request: Request) -> Reply:
        with self.changed:
            self.requests.append(request)
            return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


def vector_of(text: str, dimension: int) -> np.ndarray[Any, np.dtype[np.float32]]:
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    vector = np.random.default_rng(seed).normal(size=dimension).astype(np.float32)
    return 3 * vector / np.linalg.norm(vector)


def _content(request: Request, fault: Fault, dimension: int) -> Any:
    """The JSON of a reply to `request`."""
    size = request.body.get("dimensions", dimension + (fault == "wrong_dimension"))
    vectors = [vector_of(text, size) for text in request.texts]
    if fault == "too_few":
        vectors.pop()
    if fault == "not_finite":
        vectors[0][0] = np.nan
    if request.path.endswith("/embed"):
        return [vector.tolist() for vector in vectors] if fault != "without_data" else {"error": "nothing"}
    coded = request.body.get("encoding_format") == "base64"
    items = [
        {"index": place, "embedding": base64.b64encode(vector.tobytes()).decode() if coded else vector.tolist()}
        for place, vector in enumerate(vectors)
    ]
    # Backwards: the order is that of `index`, not that of the list.
    return {"data": items[::-1], "model": request.body["model"]} if fault != "without_data" else {"object": "list"}


def _handler(server: EmbeddingServer) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def do_POST(self) -> None:  # noqa: N802  (the name is http.server's)
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(path=self.path, headers=headers, body=body)
            reply = server.next_reply(request)
            with server.under_way(wait=reply.wait):
                try:
                    self._respond(request, reply)
                except (BrokenPipeError, ConnectionResetError):
                    self.close_connection = True

        def _respond(self, request: Request, reply: Reply) -> None:
            if reply.fault == "cut":
                self.close_connection = True  # no status line: the client sees the connection drop
                return
            known = request.path.partition("?")[0] in {"/v1/embeddings", "/embed"}
            status = reply.status if known else 404
            value = {"error": f"scripted {status}"}
            if status == 200:
                value = _content(request, reply.fault, server.dimension)
            content = b"<html>" if reply.fault == "not_json" else json.dumps(value).encode()
            self.send_response(status)
            for name, text in {"content-type": "application/json", **(reply.headers or {})}.items():
                self.send_header(name, text)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler
