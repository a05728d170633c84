from pathlib import Path

import pytest
from pytest_django import Settings

from tests.ingestion.api.library import Library, make_library


@pytest.fixture
def library(db: None, settings: Settings, tmp_path: Path) -> Library:
    settings.MEDIA_ROOT = tmp_path
    return make_library()
