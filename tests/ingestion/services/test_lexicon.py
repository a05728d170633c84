"""The packs of everyday words: how they are read, and what loading them leaves as administrators made it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command

from ingestion.models import LexiconPack, Synonym, SynonymGroup
from ingestion.services.lexicon.packs import MalformedPack, Pack, SaidTerm, read_pack, shipped_packs
from ingestion.services.lexicon.upgrade import load_packs
from ingestion.services.synonyms import save_synonym
from ingestion.text.phrases import everyday_key
from knowledgetree.audit.models import AuditEntry

MakePack = Callable[..., Pack]


@pytest.fixture
def pack(tmp_path: Path) -> MakePack:
    def make(*lines: str, name: str = "kadry") -> Pack:
        path = tmp_path / f"{name}.txt"
        path.write_text("# Kadry i płace\n" + "\n".join(lines) + "\n", encoding="utf-8")
        return read_pack(path)

    return make


def group(name: str) -> SynonymGroup:
    return SynonymGroup.objects.get(name=name)


class TestReading:
    def test_a_line_leads_from_words_to_others_or_both_ways(self, pack: MakePack) -> None:
        read = pack("wziąć wolne; wolne > urlop", "# Wolne", "POZ = podstawowa opieka")
        assert read.title == "Kadry i płace"
        assert [(group.left[0].text, group.two_way) for group in read.groups] == [("wziąć wolne", False), ("POZ", True)]

    def test_a_word_of_two_meanings_has_its_context(self, pack: MakePack) -> None:
        (read,) = pack("zamek [drzwi, klucz]; zamek błyskawiczny > suwak").groups
        assert read.left == (SaidTerm(text="zamek", context=("drzwi", "klucz")), SaidTerm(text="zamek błyskawiczny"))

    @pytest.mark.parametrize("line", ["urlop", "urlop >", "> urlop", "a > b > c", "urlop [praca > wolne"])
    def test_a_line_that_is_no_group_is_named(self, pack: MakePack, line: str) -> None:
        with pytest.raises(MalformedPack, match=r"kadry\.txt, .* 2"):
            pack(line)

    def test_groups_with_the_same_left_side_have_keys_of_their_own(self, pack: MakePack) -> None:
        first, second = pack("auto > samochód", "auto > pojazd").groups
        assert first.key != second.key

    def test_what_ships_has_the_domains_and_three_thousand_groups(self) -> None:
        packs = {pack.name: pack for pack in shipped_packs()}
        assert {"finanse", "informatyka", "kadry", "mieszkanie", "prawo", "urzad", "zdrowie"} <= packs.keys()
        assert sum(len(pack.groups) for pack in packs.values()) >= 3000

    def test_no_group_that_ships_leads_a_word_to_itself_alone(self) -> None:
        groups = [group for pack in shipped_packs() for group in pack.groups]
        assert not [g for g in groups if {t.text for t in g.left} == {t.text for t in g.right}]


class TestKeys:
    @pytest.mark.parametrize(
        ("one", "other"), [("zmarła babcia", "babcia zmarła"), ("numer do urzędu", "numer urzędu")]
    )
    def test_words_of_a_phrase_are_found_in_any_order(self, one: str, other: str) -> None:
        assert everyday_key(one) == everyday_key(other)

    @pytest.mark.parametrize(
        ("one", "other"), [("na raty", "raty"), ("nie oddać", "oddać"), ("bez kolejki", "kolejka")]
    )
    def test_small_words_that_make_the_phrase_stay(self, one: str, other: str) -> None:
        assert everyday_key(one) != everyday_key(other)

    def test_a_function_word_has_no_key(self) -> None:
        assert everyday_key("jak") == ""


@pytest.mark.django_db
class TestLoading:
    def test_one_way_only_what_people_say_leads(self, pack: MakePack) -> None:
        load_packs([pack("komp; kompik > komputer")])
        found = Synonym.objects.values_list("text", "leads", "found_by")
        assert list(found) == [("komp", True, "* komp"), ("kompik", True, "* kompik"), ("komputer", False, "")]

    def test_an_unchanged_pack_is_left_alone(self, pack: MakePack) -> None:
        read = pack("komp > komputer")
        assert load_packs([read]) == 1
        assert load_packs([read]) == 0

    def test_a_changed_pack_comes_anew_and_what_was_off_stays_off(self, pack: MakePack) -> None:
        load_packs([pack("komp > komputer", "auto > samochód")])
        SynonymGroup.objects.filter(name="komp").update(enabled=False)
        LexiconPack.objects.update(enabled=False)
        load_packs([pack("komp > komputer; stacja robocza", "laptop > komputer przenośny")])
        assert not group("komp").enabled
        assert group("laptop").enabled
        assert not SynonymGroup.objects.filter(name="auto").exists()
        assert not LexiconPack.objects.get().enabled

    def test_a_release_leaves_no_entry_for_each_group_in_the_audit_log(self, pack: MakePack) -> None:
        load_packs([pack("wolne > urlop")])
        load_packs([pack("wolne > wakacje")])
        assert [synonym.text for synonym in Synonym.objects.order_by("position")] == ["wolne", "wakacje"]
        assert not AuditEntry.objects.filter(subject_type="ingestion.synonymgroup").exists()

    def test_groups_of_editors_stay(self, pack: MakePack) -> None:
        own = SynonymGroup.objects.create(name="komp")
        save_synonym(synonym=Synonym(group=own, text="komp"))
        load_packs([pack("komp > komputer")])
        load_packs([])
        assert list(SynonymGroup.objects.all()) == [own]

    @pytest.mark.slow
    def test_synonyms_lemmatised_anew_do_not_lose_their_keys(self) -> None:
        call_command("load_lexicon")
        before = set(Synonym.objects.values_list("text", "found_by"))
        call_command("refresh_synonyms")
        assert set(Synonym.objects.values_list("text", "found_by")) == before
