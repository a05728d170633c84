"""Names and identifiers recognised in Polish, one key over inflection."""

import pytest

from ingestion.text.names.identifiers import find_identifiers, loose_keys
from ingestion.text.names.name_words import name_key
from ingestion.text.names.names import find_names


def names(text: str) -> list[str]:
    return [named.name for named in find_names(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("W Urzędzie Miasta pracuje Jan Kowalski.", ["Urzędzie Miasta", "Jan Kowalski"]),
        ("Dla Jana Kowalskiego i Anny Nowak.", ["Jana Kowalskiego", "Anny Nowak"]),
        ("Umowę podpisali Piotr Zieliński oraz Maria Wójcik.", ["Piotr Zieliński", "Maria Wójcik"]),
        ("Ministerstwo Finansów ogłosiło przetarg.", ["Ministerstwo Finansów"]),
        (
            "Pismo do Ministerstwa Spraw Wewnętrznych i Administracji.",
            ["Ministerstwa Spraw Wewnętrznych i Administracji"],
        ),
        ("Szkoła im. Adama Mickiewicza w Radomiu", ["Szkoła im. Adama Mickiewicza", "Radomiu"]),
        ("Premier Donald Tusk przemawiał.", ["Donald Tusk"]),
        ("Wczoraj Donald Tusk był w Warszawie.", ["Donald Tusk", "Warszawie"]),
        ("Pan Kowalski i pani Nowak", ["Kowalski", "Nowak"]),
        ("przez ZUS i NFZ oraz w ZUS-ie", ["ZUS", "NFZ", "ZUS-ie"]),
        ("papież Jan Paweł II w Polsce", ["Jan Paweł II", "Polsce"]),
        ("ul. Marszałkowska 3", ["Marszałkowska"]),
        ("prof. Nowak mieszka przy pl. Wolności", ["Nowak", "Wolności"]),
        ("Kraków leży nad Wisłą.", ["Kraków", "Wisłą"]),
        ("Frankfurt nad Menem", ["Frankfurt nad Menem"]),
        ("w Bielsku-Białej", ["Bielsku-Białej"]),
        ("Ludwig van Beethoven", ["Ludwig van Beethoven"]),
        ("system „Zielony Koszyk” działa", ["Zielony Koszyk"]),
        ("- Biuro Obsługi Klienta\n- kasa", ["Biuro Obsługi Klienta"]),
        ("Naczelnik Wydziału Dróg i Transportu przyjmuje.", ["Wydziału Dróg i Transportu"]),
        (
            "Organizuje to Wydział Kultury i Promocji Urzędu Miasta.",
            ["Wydział Kultury i Promocji", "Urzędu Miasta"],
        ),
        ("wyrok wydał Naczelny Sąd Administracyjny", ["Naczelny Sąd Administracyjny"]),
        ("powołał Prezes Rady Ministrów", ["Prezes Rady Ministrów"]),
        ("uchwaliła Rada Wydziału Prawa", ["Rada Wydziału Prawa"]),
        ("ogłoszono w Monitorze Sądowym i Gospodarczym", ["Monitorze Sądowym i Gospodarczym"]),
        ("aplikacja „Urząd w Telefonie” działa", ["Urząd w Telefonie"]),
        ("„Bezpieczna Droga do Szkoły”", ["Bezpieczna Droga do Szkoły"]),
        (
            "na podstawie Kodeksu pracy, a nie Kodeksu karnego skarbowego",
            ["Kodeksu pracy", "Kodeksu karnego skarbowego"],
        ),
        ("Polska wygrała mecz.", ["Polska"]),
    ],
)
def test_names_are_found_whole_and_apart(text: str, found: list[str]) -> None:
    assert names(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "Dom stoi przy drodze.",
        "Sąd może zwolnić od opłaty. Komornik zawiadamia strony.",
        "§ 2. Przepisu tego nie stosuje się.",
        "# Regulamin pracy\nZasady ogólne",
        "REGULAMIN PRACY URZĘDU MIASTA",
        "UWAGA! Nie dotykać.",
        "Rozdział II i III",
        "Czy to prawda? Tak. Nie.",
        "| Nazwa | Wartość |",
        "wszystko małymi literami, jan kowalski",
        "Walne zgromadzenie zwołuje zarząd. Dalsze postępowanie umorzono. Kluczowe projekty opóźniono.",
        "część pierwsza Kodeksu, o której mowa",
    ],
)
def test_a_capital_alone_makes_no_name(text: str) -> None:
    assert names(text) == []


@pytest.mark.parametrize(
    ("base", "inflected"),
    [
        ("Urząd Miasta", "urzędowi miasta"),
        ("Urząd Miasta", "URZĘDU MIASTA"),
        ("Jan Kowalski", "Janowi Kowalskiemu"),
        ("Jan Kowalski", "Janem Kowalskim"),
        ("Anna Nowak", "Annie Nowak"),
        ("Ministerstwo Finansów", "Ministerstwie Finansów"),
        ("Zakład Ubezpieczeń Społecznych", "Zakładowi Ubezpieczeń Społecznych"),
        ("Rzeczpospolita Polska", "Rzeczypospolitej Polskiej"),
        ("Kraków", "Krakowie"),
        ("Poznań", "Poznaniu"),
        ("Warszawa", "warszawie"),
        ("Wisła", "Wisłą"),
        ("Kanada", "Kanady"),
        ("ZUS", "ZUS-owi"),
        ("Skarb Państwa", "Skarbowi Państwa"),
        ("Wielka Brytania", "Wielką Brytanią"),
        ("Sąd Najwyższy", "Sądu Najwyższego"),
        ("Adam Mickiewicz", "Adamem Mickiewiczem"),
        ("Krystian Lebioda", "Krystiana Lebiody"),
        ("Adrian Kowalski", "Adriana Kowalskiego"),
        ("Bezpieczna Droga do Szkoły", "Bezpieczną Drogę do Szkoły"),
        ("Wydział Dróg i Transportu", "Wydziałowi Dróg i Transportu"),
        ("Kodeks pracy", "kodeksie pracy"),
    ],
)
def test_inflections_of_a_name_have_one_key(base: str, inflected: str) -> None:
    assert name_key(inflected) == name_key(base)


def test_names_that_differ_have_keys_that_differ() -> None:
    assert len({name_key(name) for name in ("Urząd Miasta", "Urząd Gminy", "Jan Nowak", "Anna Nowak")}) == 4
    assert name_key("Adriana Nowak") != name_key("Adriana Nowaka") == name_key("Adrian Nowak")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Dz.U. 2023 poz. 1234", "dz.u. 2023 poz. 1234"),
        ("Dz. U. z 2023 r. poz. 1234", "dz.u. 2023 poz. 1234"),
        ("Dz.U. 1997 nr 78, poz. 483", "dz.u. 1997 nr 78 poz. 483"),
        ("art. 94 ust. 2 k.p.", "art.94 k.p."),
        ("art. 94 § 1 Kodeksu pracy", "art.94 k.p."),
        ("art. 5 k.p.a.", "art.5 k.p.a."),
        ("art. 27 Kodeksu karnego wykonawczego", "art.27 k.k.w."),
        ("art. 27 Kodeksu karnego", "art.27 k.k."),
        ("art. 58 k.r.o.", "art.58 k.r.o."),
        ("PIT-37", "pit37"),
        ("PIT 37", "pit37"),
        ("VAT-7", "vat7"),
        ("JPK_V7M", "jpkv7m"),
        ("e-PUAP", "epuap"),
        ("ePUAP", "epuap"),
        ("mObywatel", "mobywatel"),
        ("błąd ERR-1234.", "err1234"),
        ("CVE-2021-44228", "cve202144228"),
    ],
)
def test_an_identifier_has_one_key_however_it_is_written(text: str, key: str) -> None:
    assert [named.key for named in find_identifiers(text)] == [key]


@pytest.mark.parametrize("text", ["art. 5 ust. 1", "26 dni", "2024-03-12", "TAK/NIE", "w § 3 pkt 2", "iPhone'y? nie"])
def test_what_many_texts_have_for_different_things_identifies_nothing(text: str) -> None:
    assert [named.key for named in find_identifiers(text) if named.key != "iphone"] == []


def test_a_code_typed_in_lower_case_is_looked_up() -> None:
    assert {"pit37", "jpkv7m"} <= loose_keys("jak złożyć pit 37 albo jpk_v7m")
