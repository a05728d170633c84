"""What a large file costs a web process: `PYTHONPATH=. python benchmarks/bucket_streaming.py [--megabytes 48]`.

A file of random bytes is uploaded to an installation of its own, whose originals lie in a bucket (moto's server), and
downloaded again, whole and its last part. Prints how much the web process held at most after each step (VmHWM), and,
with a Redis server, how many commands a search sent to it.
"""

import argparse
import os
import tempfile
from pathlib import Path

import django
import httpx
import psutil

_MAKE = """
from django.contrib.auth.models import User
from ingestion.models import Collection
User.objects.create_superuser("admin", password="haslo-haslo")
Collection.objects.create(slug="pliki", name="Pliki", visibility="public")
"""


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "knowledgetree.settings")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--megabytes", type=int, default=48)
    size = parser.parse_args().megabytes * 10**6
    django.setup()
    from tests.bucket import store_with_bucket
    from tests.installation import installation
    from tests.redis_server import running_redis

    with tempfile.TemporaryDirectory() as temporary, store_with_bucket() as s3, running_redis() as redis:
        shared = {
            "S3_BUCKET": s3.bucket, "S3_ENDPOINT": s3.endpoint, "S3_KEY_ID": s3.key_id, "S3_KEY": s3.key,
            "REDIS_URL": redis.url, "SECRET_KEY": "klucz",
        }  # fmt: skip
        with installation(Path(temporary, "var"), "kt_streaming", **shared) as site:
            site.manage("shell", "-v", "0", "-c", _MAKE)
            scopes = ("search", "documents:read", "documents:write")
            key = site.manage("api_key", "make", "proba", "--user", "admin", "--scope", *scopes).stdout.strip()
            with httpx.Client(
                base_url=site.start_web(), headers={"Authorization": f"Bearer {key}"}, timeout=600
            ) as client:
                (web,) = (child.pid for child in psutil.Process().children() if "uvicorn" in child.cmdline())
                client.get("/api/search", params={"query": "urlop"})
                say("after a search", web)
                small = {"file": ("maly.txt", b"Urlop trwa 26 dni.")}
                client.post("/api/documents", files=small, data={"collection": "pliki"})
                say("after an upload of 20 bytes", web)
                large = {"file": ("duzy.bin", os.urandom(size))}
                sent = client.post("/api/documents", files=large, data={"collection": "pliki"})
                number = sent.json()["document"]["id"]
                say(f"after an upload of {size // 10**6} MB", web)
                site.sql(f"UPDATE ingestion_document SET status = 'ready' WHERE id = {number} RETURNING 1")
                with client.stream("GET", f"/documents/{number}/original/") as response:
                    received = sum(map(len, response.iter_bytes()))
                assert received == size, response.status_code
                say("after its download", web)
                before = redis_commands(redis.url)
                for n in range(20):
                    client.get("/api/search", params={"query": f"ile dni urlopu {n}"})
                print(f"commands to Redis a search: {(redis_commands(redis.url) - before) / 20:.1f}")


def say(when: str, process: int) -> None:
    (line,) = (line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmHWM"))
    print(f"{when:<32} {int(line.split()[1]) / 1024:6.0f} MB", flush=True)


def redis_commands(url: str) -> int:
    import redis

    told = redis.Redis.from_url(url).info("stats")
    return int(told["total_commands_processed"])  # type: ignore[index, arg-type]


if __name__ == "__main__":
    main()
