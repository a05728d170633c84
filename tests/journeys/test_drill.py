"""A backup is put to the test beside the living installation, with real processes."""

from pathlib import Path

import pytest

from tests.installation import installation

pytestmark = pytest.mark.slow


def test_a_drill_restores_beside_asks_the_same_and_leaves_nothing(tmp_path: Path) -> None:
    texts = tmp_path / "teksty"
    texts.mkdir()
    (texts / "urlop.md").write_text("# Urlop\n\nUrlop na żądanie trwa cztery dni w roku.")
    with installation(tmp_path / "var", "drill", TMPDIR=str(tmp_path)) as installed:
        installed.manage("index", str(texts), "--collection", "kadry", "--visibility", "public")
        installed.sql(
            "WITH made AS (INSERT INTO rag_evaluationdataset (name, description, created, modified) "
            "VALUES ('własny', '', now(), now()) RETURNING id) "
            "INSERT INTO rag_evaluationquestion (dataset_id, external_id, text, kind, answerable, expected_answer, "
            "expected_answer_contains) SELECT id, '1', 'Ile dni trwa urlop na żądanie?', '', true, '', '{}' "
            "FROM made RETURNING id"
        )
        installed.manage("backup")
        said = installed.manage("restore", "--drill", "--questions", "1").stdout
    assert "Takie same odpowiedzi: 1 z 1" in said
    assert "Na tej kopii można polegać." in said
    assert not list(tmp_path.glob("knowledgetree-*"))
