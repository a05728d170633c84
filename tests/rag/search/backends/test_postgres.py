"""PostgreSQL alone keeps the contract of search backends."""

import pytest

from rag.search.retrieval.backends.postgres import PostgresBackend
from tests.rag.search.backends.contract import SETTINGS, BackendContract, Tell


class TestPostgresBackend(BackendContract):
    @pytest.fixture
    def backend(self) -> PostgresBackend:
        return PostgresBackend(SETTINGS)

    @pytest.fixture
    def tell(self) -> Tell:
        return lambda: None
