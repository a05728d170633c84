"""Environment, typed settings, components, database address: what is wrong is named, with the way out."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from knowledgetree.components import component
from knowledgetree.conf import RAGSettings, build, rag_settings
from knowledgetree.database import is_pooled, parse_database_url
from knowledgetree.env import ensure_secret, env_bool, env_int, env_path, env_secret
from rag.presets import preset


class TestEnvironment:
    def test_a_secret_may_come_from_a_file(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        (tmp_path / "key").write_text("tajne\n")
        monkeypatch.setenv("SOME_KEY_FILE", str(tmp_path / "key"))
        assert env_secret("SOME_KEY") == "tajne"

    def test_a_secret_file_that_is_missing_is_named(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOME_KEY_FILE", "/nie/ma")
        with pytest.raises(ImproperlyConfigured, match="SOME_KEY_FILE"):
            env_secret("SOME_KEY")

    @pytest.mark.parametrize(("reader", "value"), [(env_bool, "może"), (env_int, "dużo")])
    def test_nonsense_is_named(self, reader: Any, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("SOME_SETTING", value)
        with pytest.raises(ImproperlyConfigured, match="SOME_SETTING"):
            reader("SOME_SETTING", 0)

    @pytest.mark.parametrize(("value", "path"), [(None, "/var/kt"), ("", "/var/kt"), ("/srv/kt", "/srv/kt")])
    def test_an_empty_folder_is_one_that_is_not_set(
        self, value: str | None, path: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if value is not None:
            monkeypatch.setenv("SOME_DIR", value)
        assert env_path("SOME_DIR", Path("/var/kt")) == Path(path)

    def test_a_stored_secret_is_made_once_and_for_its_owner_alone(self, tmp_path: Path) -> None:
        path = tmp_path / "var" / "secret"
        assert ensure_secret(path) == ensure_secret(path)
        assert path.stat().st_mode & 0o077 == 0

    def test_an_empty_secret_that_a_full_disk_left_is_made_anew(self, tmp_path: Path) -> None:
        path = tmp_path / "secret"
        path.touch()
        assert len(ensure_secret(path)) > 40
        assert [file.name for file in tmp_path.iterdir()] == ["secret"]

    def test_who_comes_second_gets_the_secret_of_the_first(self, tmp_path: Path) -> None:
        for n in range(20):
            with ThreadPoolExecutor(8) as threads:
                made = list(threads.map(ensure_secret, [tmp_path / f"secret{n}"] * 8))
            assert len(set(made)) == 1
            assert made[0]


class TestSettings:
    def test_an_unknown_key_names_the_known_ones(self) -> None:
        with pytest.raises(ImproperlyConfigured, match=r"lexical: unknown setting k3; known: b, k1"):
            build(RAGSettings, {"lexical": {"k3": 1}}, "RAG")

    def test_nested_settings_are_typed(self, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "ingestion": {"chunking": {"chunk_size": 99}}}
        assert rag_settings().ingestion.chunking.chunk_size == 99

    def test_an_unknown_preset_names_the_known_ones(self) -> None:
        known = "known: accurate, balanced, code, fast, legal, offline, research"
        with pytest.raises(ImproperlyConfigured, match=known):
            preset("najlepszy")

    @pytest.mark.django_db
    def test_a_key_chooses_the_preset_with_a_model(self, settings: Any) -> None:
        assert preset().name == "offline"
        settings.RAG = {**settings.RAG, "llm": {"api_key": "klucz"}}
        assert preset().name == "balanced"


class TestComponents:
    def test_there_is_one_instance_a_process(self) -> None:
        assert component("embedders", "hashing") is component("embedders", "hashing")

    @pytest.mark.parametrize(
        ("spec", "complaint"),
        [
            ({"backend": "nie.ma.Takiej"}, "cannot import"),
            ({"backend": "ingestion.embedding.hashing.HashingEmbedder", "options": {"wymiar": 3}}, "wrong options"),
        ],
    )
    def test_a_component_that_cannot_be_built_is_named(self, spec: Any, complaint: str, settings: Any) -> None:
        settings.RAG = {**settings.RAG, "components": {"embedders": {"moj": spec}}}
        with pytest.raises(ImproperlyConfigured, match=complaint):
            component("embedders", "moj")


class TestDatabaseAddress:
    def test_everything_in_the_address_counts(self) -> None:
        parsed = parse_database_url(
            "postgresql://jan:ha%40slo@db:5433/wiedza?sslmode=require", {"options": "-c jit=off"}
        )
        assert parsed["HOST"] == "db"
        assert parsed["PASSWORD"] == "ha@slo"
        assert parsed["OPTIONS"] == {"options": "-c jit=off", "sslmode": "require"}

    def test_behind_a_pooler_of_transactions_nothing_outlives_a_transaction(self) -> None:
        options = {"options": "-c jit=off", "prepare_threshold": 5}
        parsed = parse_database_url("postgresql://jan@db/wiedza?pgbouncer=transaction&sslmode=require", options)
        assert parsed["OPTIONS"] == {"prepare_threshold": None, "sslmode": "require"}
        assert is_pooled(parsed)
        assert not is_pooled(parse_database_url("postgresql://jan@db/wiedza", options))

    def test_a_mode_of_the_pooler_that_cannot_work_is_refused(self) -> None:
        with pytest.raises(ImproperlyConfigured, match="pgbouncer=transaction"):
            parse_database_url("postgresql://db/x?pgbouncer=statement", {})

    @pytest.mark.parametrize("url", ["mysql://db/x", "postgresql://db/", "x"])
    def test_another_database_is_refused(self, url: str) -> None:
        with pytest.raises(ImproperlyConfigured, match="PostgreSQL"):
            parse_database_url(url, {})
