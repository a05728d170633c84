"""A collector of OpenTelemetry that keeps what arrives: OTLP over HTTP, in protobuf, as the real exporter sends it."""

from typing import Any

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span

from tests.local_server import LocalServer, SilentHandler


class OtlpServer(LocalServer):
    """`spans` in the order of their arrival, `services` that sent them; `status` is what it answers."""

    def __init__(self, status: int = 200) -> None:
        self.status = status
        self.spans: list[Span] = []
        self.services: set[str] = set()
        self.headers: list[dict[str, str]] = []
        super().__init__(_handler(self))

    def named(self, name: str) -> list[Span]:
        return [span for span in list(self.spans) if span.name == name]

    def above(self, span: Span) -> list[str]:
        """The names of those that it stands in, the outermost last, as far as they have arrived."""
        by_number = {one.span_id: one for one in list(self.spans)}
        names = []
        while span := by_number.get(span.parent_span_id):  # type: ignore[assignment]
            names.append(span.name)
        return names

    def take(self, body: bytes) -> None:
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            self.services.add(attributes(resource.resource)["service.name"])
            for scope in resource.scope_spans:
                self.spans.extend(scope.spans)


def attributes(of: Any) -> dict[str, Any]:
    return {one.key: getattr(one.value, one.value.WhichOneof("value")) for one in of.attributes}


def _handler(server: OtlpServer) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def do_POST(self) -> None:  # noqa: N802  (the name is http.server's)
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            server.headers.append({name.lower(): value for name, value in self.headers.items()})
            if self.path == "/v1/traces" and server.status == 200:
                server.take(body)
            self.send_response(server.status if self.path == "/v1/traces" else 404)
            self.send_header("Content-Length", "0")
            self.end_headers()

    return Handler
