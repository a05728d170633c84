"""The thesaurus command on small files made by hand."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from ingestion.models import Collection, Synonym, SynonymGroup
from ingestion.services.lexicon.thesaurus import MalformedThesaurus, read_thesaurus
from ingestion.services.synonyms import refresh_phrases

ENTRIES = """\
warownia|1
-|zamek|twierdza
zamek|2
-|warownia|twierdza|gród (przestarz.)|budowla (pojęcie nadrzędne)|chałupa (antonim)
-|zamknięcie (pot.)|szajs (wulg.)
źrebię|1
-|źrebak|koń (pojęcie nadrzędne)
a zatem|1
-|więc
bez pracy|1
-|bezrobotny
co dzień|1
-|codziennie
"""
MEANINGS = [
    ("warownia", "zamek", "twierdza"),
    ("zamek", "warownia", "twierdza", "gród"),
    ("zamek", "zamknięcie"),
    ("źrebię", "źrebak"),
    ("a zatem", "więc"),
    ("bez pracy", "bezrobotny"),
    ("co dzień", "codziennie"),
]


def written(folder: Path, encoding: str = "UTF-8", entries: str = ENTRIES, newline: str = "\n") -> Path:
    path = folder / "th_pl.dat"
    path.write_bytes(f"{encoding}\n{entries}".replace("\n", newline).encode(encoding.removeprefix("microsoft-")))
    return path


def imported(path: Path, *options: str) -> str:
    out = StringIO()
    call_command("import_thesaurus", str(path), *options, stdout=out, verbosity=0)
    return out.getvalue()


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO8859-2", "microsoft-cp1250"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_is_read_in_the_encoding_of_its_first_line(tmp_path: Path, encoding: str, newline: str) -> None:
    assert read_thesaurus(written(tmp_path, encoding, newline=newline)) == MEANINGS


def test_a_meaning_that_every_word_repeats_is_one_group(tmp_path: Path) -> None:
    entries = "auto|1\n-|wóz|samochód\nwóz|1\n-|auto|samochód\nsamochód|1\n-|auto|wóz\n"
    assert read_thesaurus(written(tmp_path, entries=entries)) == [("auto", "wóz", "samochód")]


@pytest.mark.parametrize("entries", ["zamek\n", "zamek|2\n-|gród\n", "zamek|dwa\n-|gród\n", "zamek|0\n", "|1\n-|a\n"])
def test_a_line_that_is_no_entry_is_named(tmp_path: Path, entries: str) -> None:
    with pytest.raises(MalformedThesaurus, match="2"):
        read_thesaurus(written(tmp_path, entries=entries))


def test_an_unknown_encoding_is_an_error_that_says_so(tmp_path: Path) -> None:
    path = tmp_path / "th.dat"
    path.write_bytes(b"klingon\nzamek|1\n-|gr\xf3d\n")
    with pytest.raises(CommandError, match="klingon"):
        call_command("import_thesaurus", str(path))


@pytest.mark.django_db
def test_an_import_is_light_and_switched_off_unless_enabled(tmp_path: Path) -> None:
    imported(written(tmp_path))
    values = SynonymGroup.objects.values_list("source", "weight", "enabled", "direction", "collection")
    assert set(values) == {("thesaurus", 0.2, False, "two_way", None)}
    imported(written(tmp_path), "--weight", "0,1", "--enable")
    assert set(SynonymGroup.objects.values_list("weight", "enabled")) == {(0.1, True)}


@pytest.mark.django_db
def test_groups_that_no_question_could_use_are_left_out(tmp_path: Path) -> None:
    assert "4" in imported(written(tmp_path))
    assert not Synonym.objects.filter(text__in=["więc", "bez pracy", "bezrobotny", "codziennie"]).exists()


@pytest.mark.django_db
def test_importing_again_replaces_the_import_and_leaves_editors_groups(tmp_path: Path, public: Collection) -> None:
    own = SynonymGroup.objects.create(name="zamek")
    imported(written(tmp_path))
    imported(written(tmp_path))
    assert SynonymGroup.objects.filter(source="thesaurus").count() == 4
    imported(written(tmp_path, entries="auto|1\n-|wóz\n"))
    assert set(SynonymGroup.objects.values_list("name", flat=True)) == {"zamek", "auto"}
    assert SynonymGroup.objects.filter(pk=own.pk).exists()


@pytest.mark.django_db
@pytest.mark.parametrize("weight", ["0", "1", "-1", "dużo"])
def test_a_weight_outside_zero_and_one_is_refused(tmp_path: Path, weight: str) -> None:
    with pytest.raises(CommandError):
        imported(written(tmp_path), f"--weight={weight}")


@pytest.mark.django_db
def test_after_a_new_lemmatiser_all_phrases_are_written_anew(tmp_path: Path) -> None:
    imported(written(tmp_path))
    before = list(Synonym.objects.values_list("pk", "phrase"))
    Synonym.objects.filter(text="zamek").update(phrase="zamko")
    assert refresh_phrases() == 3
    assert list(Synonym.objects.values_list("pk", "phrase")) == before
