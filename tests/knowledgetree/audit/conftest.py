from copy import deepcopy

import pytest

from tests.ingestion.api.library import Library, make_library
from tests.kept import Kept


@pytest.fixture(scope="module")
def kept_library(kept_rows: Kept) -> Library:
    return kept_rows.make(make_library)


@pytest.fixture
def library(kept_library: Library, db: None) -> Library:
    return deepcopy(kept_library)
