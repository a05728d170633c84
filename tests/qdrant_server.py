"""A server that speaks Qdrant's REST protocol, as far as we do, over its real engine: `qdrant-edge-py` is Qdrant's own
storage, indexes and search, as a library of one shard.

    with QdrantServer(folder, shards=2) as server:
        connect(SearchEngineSettings(backend="qdrant", url=server.url))

Points are spread over the shards of a collection, each question goes to all, and what they find is merged by score, as
a cluster does it. What it keeps in the folder is there for the next server. In a process of its own:

    python -m tests.qdrant_server FOLDER PORT SHARDS
"""

import json
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree
from threading import Lock
from typing import Any

import qdrant_edge as edge

from tests.local_server import LocalServer, SilentHandler

_DATATYPES = {
    "float32": edge.VectorStorageDatatype.Float32,
    "float16": edge.VectorStorageDatatype.Float16,
}
_SCHEMAS = {
    "keyword": edge.PayloadSchemaType.Keyword,
    "integer": edge.PayloadSchemaType.Integer,
    "float": edge.PayloadSchemaType.Float,
}


class QdrantServer(LocalServer):
    """`broken`: answers every request with an error of its own; `deaf`: never answers who writes points."""

    def __init__(self, folder: Path, *, shards: int = 1, port: int = 0) -> None:
        self.folder = folder
        self.shards = shards
        self.broken = self.deaf = False
        self.requests: list[str] = []
        self.collections = {kept.name: [edge.EdgeShard.load(str(one)) for one in sorted(kept.iterdir())]
                            for kept in (folder.iterdir() if folder.exists() else ())}  # fmt: skip
        self.writing = Lock()
        super().__init__(_handler(self), port)

    def create(self, name: str, asked: dict[str, Any]) -> None:
        self.collections[name] = []
        for number in range(self.shards):
            place = self.folder / name / str(number)
            place.mkdir(parents=True)
            self.collections[name].append(edge.EdgeShard.create(str(place), _config(asked)))

    def delete(self, name: str) -> None:
        for shard in self.collections.pop(name, ()):
            shard.close()
        rmtree(self.folder / name, ignore_errors=True)

    def update(self, name: str, *operations: tuple[int, edge.UpdateOperation]) -> None:
        """Each of the shard with that number."""
        with self.writing:
            for shard, operation in operations:
                self.collections[name][shard].update(operation)

    def query(self, name: str, asked: dict[str, Any]) -> list[dict[str, Any]]:
        found = [point for shard in self.collections[name] for point in shard.query(_query(asked))]
        best = sorted(found, key=lambda point: (-point.score, point.id))[: asked["limit"]]
        return [{"id": point.id, "version": 0, "score": point.score} for point in best]

    def scroll(self, name: str, asked: dict[str, Any]) -> dict[str, Any]:
        wanted = edge.ScrollRequest(offset=asked.get("offset"), limit=asked["limit"] + 1, with_payload=True)
        found = [record for shard in self.collections[name] for record in shard.scroll(wanted)[0]]
        found.sort(key=lambda record: record.id)
        points = [{"id": record.id, "payload": record.payload} for record in found[: asked["limit"]]]
        return {
            "points": points,
            "next_page_offset": found[asked["limit"]].id if len(found) > asked["limit"] else None,
        }

    def by_shard(self, ids: list[int]) -> Iterator[tuple[int, list[int]]]:
        """The places in the list of those that lie on each shard."""
        for shard in range(self.shards):
            if places := [place for place, point in enumerate(ids) if point % self.shards == shard]:
                yield shard, places

    def __exit__(self, *what: Any) -> None:
        super().__exit__(*what)
        for shard in (shard for shards in self.collections.values() for shard in shards):
            shard.close()


def main() -> None:
    folder, port, shards = sys.argv[1:]
    Path(folder).mkdir(parents=True, exist_ok=True)
    with QdrantServer(Path(folder), shards=int(shards), port=int(port)) as server:
        print(server.url, flush=True)  # noqa: T201
        signal.sigwait({signal.SIGTERM, signal.SIGINT})


def _config(asked: dict[str, Any]) -> edge.EdgeConfig:
    vectors = {
        name: edge.EdgeVectorParams(
            size=one["size"],
            distance=edge.Distance.Cosine,
            datatype=_DATATYPES[one["datatype"]],
            multivector_config=(
                edge.MultiVectorConfig(edge.MultiVectorComparator.MaxSim) if one.get("multivector_config") else None
            ),
        )
        for name, one in asked["vectors"].items()
    }
    sparse = {
        name: edge.EdgeSparseVectorParams(datatype=_DATATYPES[one["index"]["datatype"]])
        for name, one in asked["sparse_vectors"].items()
    }
    return edge.EdgeConfig(vectors=vectors, sparse_vectors=sparse)


def _point(told: dict[str, Any]) -> edge.Point:
    vector = {
        name: edge.SparseVector(one["indices"], one["values"]) if isinstance(one, dict) else one
        for name, one in told["vector"].items()
    }
    return edge.Point(told["id"], vector, told["payload"])


def _query(asked: dict[str, Any]) -> edge.QueryRequest:
    given = asked["query"]["nearest"] if "nearest" in asked["query"] else asked["query"]
    vector = edge.SparseVector(given["indices"], given["values"]) if isinstance(given, dict) else given
    return edge.QueryRequest(
        limit=asked["limit"],
        query=edge.Query.Nearest(vector, using=asked["using"]),
        filter=edge.Filter(must=[_condition(one) for one in asked["filter"]["must"]]),
        params=edge.SearchParams(hnsw_ef=(asked.get("params") or {}).get("hnsw_ef")),
    )


def _condition(asked: dict[str, Any]) -> edge.FieldCondition:
    if bounds := asked.get("range"):
        given = {name: value for name, value in bounds.items() if value is not None}
        return edge.FieldCondition(asked["key"], range=edge.RangeFloat(**given))
    match = asked["match"]
    wanted = edge.MatchAny(match["any"]) if "any" in match else edge.MatchValue(match["value"])
    return edge.FieldCondition(asked["key"], match=wanted)


def _index(asked: dict[str, Any]) -> edge.UpdateOperation:
    schema = asked["field_schema"]
    if isinstance(schema, dict):
        return edge.UpdateOperation.create_field_index(
            asked["field_name"], edge.KeywordIndexParams(is_tenant=schema.get("is_tenant"))
        )
    return edge.UpdateOperation.create_field_index(asked["field_name"], _SCHEMAS[schema])


def _handler(server: QdrantServer) -> type[SilentHandler]:
    class Handler(SilentHandler):
        def do_GET(self) -> None:  # noqa: N802  (the names are http.server's)
            self._answer("GET")

        def do_PUT(self) -> None:  # noqa: N802
            self._answer("PUT")

        def do_POST(self) -> None:  # noqa: N802
            self._answer("POST")

        def do_DELETE(self) -> None:  # noqa: N802
            self._answer("DELETE")

        def _answer(self, method: str) -> None:
            length = int(self.headers.get("content-length") or 0)
            asked = json.loads(self.rfile.read(length)) if length else {}
            path = self.path.partition("?")[0]
            with server.changed:
                server.requests.append(f"{method} {path}")
                server.changed.notify_all()
            if server.deaf and path.endswith("/points"):
                server.closing.wait()
                return
            with server.under_way():
                if server.broken:
                    self._reply(500, {"status": {"error": "broken"}})
                    return
                try:
                    result = self._result(method, path.strip("/").split("/"), asked)
                except KeyError as error:
                    self._reply(404, {"status": {"error": f"Not found: {error}"}})
                else:
                    self._reply(200, result if path == "/" else {"result": result, "status": "ok", "time": 0.0})

        def _result(self, method: str, path: list[str], asked: dict[str, Any]) -> Any:
            match method, path:
                case "GET", [""]:
                    return {"title": "qdrant - vector search engine", "version": "1.20.0"}
                case "GET", ["collections", name, "exists"]:
                    return {"exists": name in server.collections}
                case "PUT", ["collections", name]:
                    server.create(name, asked)
                case "DELETE", ["collections", name]:
                    server.delete(name)
                case "PUT", ["collections", name, "index"]:
                    server.update(name, *((shard, _index(asked)) for shard in range(server.shards)))
                case "PUT", ["collections", name, "points"]:
                    points = [_point(one) for one in asked["points"]]
                    spread = server.by_shard([one["id"] for one in asked["points"]])
                    upsert = edge.UpdateOperation.upsert_points
                    server.update(name, *((shard, upsert([points[p] for p in places])) for shard, places in spread))
                case "POST", ["collections", name, "points", "delete"]:
                    gone = asked["points"]
                    spread = server.by_shard(gone)
                    delete = edge.UpdateOperation.delete_points
                    server.update(name, *((shard, delete([gone[p] for p in places])) for shard, places in spread))
                case "POST", ["collections", name, "points", "query", "batch"]:
                    return [{"points": server.query(name, one)} for one in asked["searches"]]
                case "POST", ["collections", name, "points", "scroll"]:
                    return server.scroll(name, asked)
                case _:
                    raise KeyError("/".join(path))
            return {"operation_id": 1, "status": "completed"} if path[-1] in ("points", "delete", "index") else True

        def _reply(self, status: int, value: Any) -> None:
            content = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    return Handler


if __name__ == "__main__":
    main()
