"""The passages of the contract."""

import pytest

from tests.kept import Kept
from tests.rag.search.reranking.contract import write_texts


@pytest.fixture(scope="module")
def kept_texts(kept_rows: Kept) -> None:
    kept_rows.make(write_texts)
