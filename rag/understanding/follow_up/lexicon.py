"""Words that decide whether a Polish question stands alone."""

from ingestion.text.calendar import MONTHS, WEEKDAYS

ASKING = frozenset(
    """kto kogo komu kim co czego czemu czym jak jaki jaka jakie jakiego jakiej jakich jakim jakimi jaką jakiemu
    który która które którego której których którym którymi którą którzy któremu ile ilu iloma kiedy gdzie skąd dokąd
    dlaczego czy czyj czyja czyje czyjego""".split()
)

OPENING = frozenset("a i oraz ale albo czyli więc no to ok okej dobrze dobra jasne aha hm super".split())
CONDITIONS = frozenset("jeśli jeżeli gdyby gdy jeśliby jeżeliby".split())
JOINING = frozenset("i oraz lub albo ani a ale".split())

Agreement = frozenset[tuple[str, str]]
"""Number and gender, of which one must fit."""


def _agreement(number: str, genders: str) -> Agreement:
    return frozenset((number, gender) for gender in genders.split())


# What a personal pronoun may stand for.
PRONOUNS: dict[str, Agreement] = {
    **dict.fromkeys("on jego jemu mu niego niemu nim go".split(), _agreement("sg", "m1 m2 m3 n")),
    **dict.fromkeys("ona jej ją nią niej".split(), _agreement("sg", "f")),
    **dict.fromkeys("oni one ich im nimi nich".split(), _agreement("pl", "m1 m2 m3 f n")),
    "ono": _agreement("sg", "n"),
    "je": _agreement("sg", "n") | _agreement("pl", "m2 m3 f n"),
}
POSSESSIVE = frozenset("jego jej ich".split())
POINTING = frozenset("ten ta to te tego tej temu tym tych tymi tą tę tamten tamta tamto tamte tamtego tamtej".split())
SUCH = frozenset("taki taka takie takiego takiej takim takich takimi taką takiemu".split())
THEN = frozenset({"wtedy", "wówczas"})
THERE = THEN | {"tam", "stamtąd", "tędy"}

UNITS = frozenset(
    """dzień dzionek doba tydzień miesiąc rok lato kwartał godzina minuta sekunda raz procent złoty grosz euro metr
    kilometr sztuka osoba czas okres wiek połowa""".split()
)
LASTING = ("letni", "roczny", "miesięczny", "tygodniowy", "dniowy", "godzinny", "minutowy")
"""Ends of adjectives made of a number and a unit of time."""

TIMES = UNITS.union(
    WEEKDAYS, MONTHS, "weekend święto wakacje ferie noc dzisiaj jutro wiosna jesień zima piątka".split()
)
MONTHS_AND_YEARS = frozenset("rok miesiąc tydzień dzień kwartał lato chwila moment pora".split())

# Nouns that are something of something else: alone they do not say what the question is about.
RELATIONAL = UNITS | frozenset(
    """termin koszt opłata cena wysokość warunek wyjątek przykład kara konsekwencja skutek wymaganie wymóg zasada
    dokument powód przyczyna uzasadnienie decyzja zgoda odpowiedź wzór załącznik kwota stawka limit sposób krok etap
    podstawa przepis procedura różnica miejsce adres telefon numer data liczba ilość typ rodzaj szczegół informacja
    przypadek sytuacja sprawa rzecz prawda reszta początek koniec strona część wada zaleta cel płatność pieniądz
    następstwo ograniczenie możliwość opcja wariant punkt temat nagroda ważność życie""".split()
)
# The same for adjectives and adverbs: any question may have them.
UNSPECIFIC = frozenset(
    """inny nowy dodatkowy maksymalny minimalny dokładny potrzebny konieczny możliwy wymagany niezbędny obowiązkowy
    ważny główny kolejny następny pierwszy drugi trzeci ostatni poprzedni cały każdy sam pewny taki który jaki
    obecny aktualny dozwolony dostępny najważniejszy szczegółowy prawny tani drogi dobry zły łatwy trudny krótki długi
    mój twój nasz swój wasz powyższy wspomniany wymagać wspomnieć zależny wolny wszystek żaden jeden
    dokładnie konkretnie ogólnie ewentualnie ponownie dodatkowo maksymalnie minimalnie jednocześnie natychmiast
    ostatecznie następnie ostatnio obecnie aktualnie oczywiście faktycznie właściwie codziennie rocznie miesięcznie
    podobnie""".split()
)
NOT_PART_OF_A_TOPIC = frozenset("po przed przez podczas bez między według wobec".split())
