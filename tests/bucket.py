"""A store that speaks S3, with a bucket, on this machine; it holds what it is given in its memory."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from knowledgetree.storage.environment import S3Settings


@contextmanager
def store_with_bucket(bucket: str = "oryginaly") -> Iterator[S3Settings]:
    """Skips the test where the extra `s3` or moto's server is not installed."""
    boto3 = pytest.importorskip("boto3", reason="the extra `s3` is not installed")
    pytest.importorskip("storages", reason="the extra `s3` is not installed")
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        s3 = S3Settings(bucket=bucket, endpoint=f"http://{host}:{port}", prefix="wiedza", key_id="klucz", key="sekret")
        client = boto3.client(
            "s3",
            endpoint_url=s3.endpoint,
            aws_access_key_id=s3.key_id,
            aws_secret_access_key=s3.key,
            region_name="us-east-1",
        )
        client.create_bucket(Bucket=bucket)
        yield s3
    finally:
        server.stop()
