"""Words that do not say which thing a sentence or a title is of."""

OF_A_DOCUMENT = frozenset(
    "regulamin instrukcja zasada procedura polityka zarządzenie uchwała rozporządzenie komunikat informator informacja "
    "poradnik przewodnik podręcznik faq cennik taryfa ogłoszenie ogłosić aktualność pouczenie pouczyć ulotka wykaz "
    "tabela załącznik dokument tekst jednolity wersja strona paragraf artykuł punkt rozdział zarządzić rozporządzić "
    "wprowadzić wprowadzać obowiązywać wejść wchodzić życie data dzień numer ostatni zmiana aktualizacja "
    "aktualizować publikacja publikować opublikować zastąpić zastępować uchylić podpisać sporządzić".split()
)
"""What any document is called, and its coming and going."""

OF_ANYTHING = frozenset(
    "opłata stawka koszt cena kwota wysokość termin okres czas limit liczba ilość wartość suma poziom wniosek decyzja "
    "sprawa usługa umowa rodzaj warunek przypadek wymóg pracownik osoba klient użytkownik urząd jednostka referat "
    "wydział organ".split()
)
"""What many things have: another word must say whose fee, term or application it is."""

NEUTRAL = frozenset(
    "termin okres czas nowy stary obecny obowiązujący dany każdy własny pisemny maksymalny minimalny kolejny następny "
    "miesięczny roczny kalendarzowy łączny łącznie obecnie każdorazowo zawsze zwykle".split()
)
"""What one of two sentences on one thing may have without narrowing it."""

GUIDES = frozenset(
    "poradnik informator przewodnik podręcznik faq broszura ulotka vademecum biuletyn aktualność ogłoszenie ogłosić "
    "komunikat".split()
)
"""Documents of many things: what they say is of the heading above it."""
