"""Two hosts, each with a web server, a worker and a folder of its own, share PostgreSQL, a bucket and Redis."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest

from tests.bucket import store_with_bucket
from tests.installation import Installation, installation, wait_until
from tests.pgbouncer import pgbouncer
from tests.redis_server import RunningRedis, running_redis

pytestmark = pytest.mark.slow

_SEARCHES = 12
_MAKE = """
from django.contrib.auth.models import User
from ingestion.models import Collection
User.objects.create_superuser("admin", password="haslo-haslo")
Collection.objects.create(slug="kadry", name="Kadry", visibility="internal")
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hosts:
    """`web`: clients of both web servers, which go through PgBouncer; each acts by the same key."""

    one: Installation
    two: Installation
    web: tuple[httpx.Client, httpx.Client]
    redis: RunningRedis


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[Hosts]:
    with store_with_bucket() as s3, running_redis() as redis:
        shared = {
            "SECRET_KEY": "ten sam na obu", "REDIS_URL": redis.url, "SEARCH_RATE": f"{_SEARCHES}/hour", "WORKERS": "1",
            "S3_BUCKET": s3.bucket, "S3_ENDPOINT": s3.endpoint, "S3_KEY_ID": s3.key_id, "S3_KEY": s3.key,
            "JOB_STALE_SECONDS": "2",
        }  # fmt: skip
        with installation(tmp_path / "one", "kt_hosts", **shared) as one, pgbouncer(tmp_path, one.url) as pooled:
            (tmp_path / "two").mkdir()
            two = Installation(one.url, tmp_path / "two", **shared)
            try:
                one.manage("shell", "-v", "0", "-c", _MAKE)
                scopes = ("search", "ask", "documents:read", "documents:write")
                key = one.manage("api_key", "make", "proba", "--user", "admin", "--scope", *scopes).stdout.strip()
                clients = [
                    httpx.Client(
                        base_url=host.start_web(DATABASE_URL=f"{pooled}?pgbouncer=transaction"),
                        headers={"Authorization": f"Bearer {key}"},
                        timeout=120,
                    )
                    for host in (one, two)
                ]
                for host in (one, two):
                    host.start("manage.py", "worker")
                yield Hosts(one=one, two=two, web=(clients[0], clients[1]), redis=redis)
            finally:
                two.end_all()


def test_two_hosts_are_one_knowledge_base(hosts: Hosts) -> None:
    first, second = hosts.web
    texts = {name: f"# {name}\n\nPrawo do świadczenia {name} trwa {n} dni.\n" for n, name in enumerate("abcdef", 21)}
    numbers = {name: upload(first, name, text) for name, text in texts.items()}
    wait_until(lambda: ready(hosts, len(texts)))
    assert originals(hosts) == [], "they lie in the bucket"

    sign_in(first)
    second.cookies.update(first.cookies)
    part = second.get(f"/documents/{numbers['c']}/original/", headers={"Range": "bytes=2-4"})
    assert (part.status_code, part.content) == (206, texts["c"].encode()[2:5])

    codes = [client.get("/api/search", params={"query": "świadczenie"}).status_code for client in (first, second) * 7]
    assert codes.count(200) == _SEARCHES, "both count together"

    assert second.delete(f"/api/documents/{numbers['c']}").status_code == 204
    assert first.get(f"/documents/{numbers['c']}/original/").status_code == 404

    hosts.redis.kill()
    assert "26" in second.post("/api/ask", json={"question": "Ile dni trwa prawo do świadczenia f?"}).text
    upload(first, "g", "# g\n\nPrawo do świadczenia g trwa 30 dni.\n")
    wait_until(lambda: ready(hosts, len(texts)))
    unwell = {check["name"] for check in first.get("/readyz").json()["checks"] if not check["well"]}
    assert "redis" in unwell
    assert "database" not in unwell


def upload(client: httpx.Client, name: str, text: str) -> int:
    sent = client.post("/api/documents", files={"file": (f"{name}.md", text)}, data={"collection": "kadry"})
    assert sent.status_code == 202, sent.text
    return int(sent.json()["document"]["id"])


def sign_in(client: httpx.Client) -> None:
    page = client.get("/login/", follow_redirects=True)
    fields = {"login": "admin", "password": "haslo-haslo", "csrfmiddlewaretoken": client.cookies["csrftoken"]}
    signed_in = client.post(page.url, data=fields, headers={"Authorization": ""})
    assert signed_in.status_code == 302, signed_in.text


def ready(hosts: Hosts, documents: int) -> bool:
    return hosts.one.sql("SELECT count(*) FROM ingestion_document WHERE status = 'ready'") == [(documents,)]


def originals(hosts: Hosts) -> list[Path]:
    return [path for host in (hosts.one, hosts.two) for path in (host.folder / "media").rglob("*") if path.is_file()]
