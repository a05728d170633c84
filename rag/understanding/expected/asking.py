"""How questions ask for each kind of thing: in the words of an office, in everyday ones, in two keywords.

All patterns are of text without diacritics in lower case, for that is how half of the questions are typed.
"""

from rag.understanding.expected.kinds import Kind

WHICH = r"(?:jak(?:i|a|ie|im|iej|iego|ich|imi)|ktor(?:y|a|e|ym|ej|ego|ych|ymi|zy)|what|which)"
WH = rf"(?:{WHICH}|kto|kogo|komu|kim|co|czym|il[eu]|gdzie|kiedy|skad|dokad|jak|dlaczego|czemu)"
"""Words with which questions begin."""

_FILL = (
    r"(?:(?:mi|nam|to|mam|mamy|ma|maja|sie|jest|sa|max|maks|maksymalnie|mozna|moge|jeszcze|czlowiek"
    r"|wynosi|potrzeba|trzeba|bedzie|tak|ogolnie|srednio|realnie|zwykle|wlasciwie|tam|u|nas) )*"
)
_UP_TO_3 = r"(?:(?!(?:il[eu]|i|oraz|a) )[^\W\d]+ ){0,3}"
_MODAL = r"(?:moge|moga|mozna|musze|musi|trzeba|da sie|wolno|mam|powin\w+|nalezy)"
_TIME = (
    r"(?:dni|dniach|lat|latach|godzin(?!ow)\w*|minut\w*|miesiec(?!zni)\w+|miesiac\w+|tygodni(?!ow)\w*|dob|sekund\w*"
    r"|czasu)\b"
)
_SUM = (
    r"(?:oplat|cen[aey]\b|kwot|stawk|kar[aey]\b|koszt|doplat|skladk|wynagrodz|wplat|kaucj|ryczalt|diet[aey]\b|pensj"
    r"|plac[aey]\b|mandat|zasilk|dodat(?:ek|k)|refundacj|dofinansowa|podatek|podatk|wyplat[aey]\b|odszkodow|grzywn)"
)
_PAYING = (
    r"(?:koszt\w*|plac\w*|zaplac\w*|doplac\w*|zarabi\w*|zarob\w*|kas[ay]|kasy|pieniedzy|hajsu|forsy|siana|zl|zlotych"
    r"|mandat\w*|zwroc\w*|zwraca\w*|pozycz\w*|schodzi|pobier\w*|doloz\w*|bierz\w*|bior\w*|wyda\w+|refunduj\w*|zabula\w*"
    r"|bul\w+|wyloz\w*|oddad\w*|zafundu\w*)\b"
)
_POST = (
    r"(?:burmistrz|wojt|prezydent|starost|wojewod|dyrektor|kierowni|naczelni|prezes|przewodnicz|sekretarz|skarbni"
    r"|inspektor|rzeczni|szef|zastepc|radn[yai]|soltys|rektor|dziekan|opiekun|wychowaw|koordynator|pelnomocni|autor|redaktor"
    r"|minist|premier|komendant|ksiegow|mened\w?zer|lider|mayor|director|head|chair|manager)"
)
_BODY = r"(?:organ|urzad|urzedzie|referat|wydzial|osob|instytucj|sad|biur|komork|dzial|jednost|komisj|stanowisk)"
_PAPER = r"(?:dokument|papier|formularz|druk(?!ar)|wnios|zaswiadcz|zalaczni|pism[oaie]|oswiadcz|kwit|deklaracj|swistek)"

# What asks for each kind outright.
OUTRIGHT: dict[Kind, str] = {
    "room": rf"(?:numer\w*|nr|{WHICH})(?: jest)? (?:numer |nr )?pok(?:oj\w*|\b)|^pokoj\b",
    "account": rf"(?:numer\w*|nr|{WHICH}|podaj) (?:jest )?(?:\w+ )?(?:kont[aoeu]\b|rachunk|rachunek)"
    r"|(?:konto|rachunek) (?:bankow\w+|do (?:wplat|przelew|oplat)\w*)",
    "email": rf"(?:{WHICH}|podaj|adres) (?:jest )?(?:\w+ )?(?:e-?mail|mail|mejl)\w*|^(?:e-?mail|mail|mejl)\b"
    r"|e-?mail do\b|do kogo (?:\w+ )?(?:napisac|pisac|wyslac)|gdzie (?:\w+ )?(?:napisac|pisac)",
    "phone": rf"(?:numer|nr) (?:tel\w*|do)\b|(?:{WHICH}|podaj) (?:\w+ )?telefon(?:u|em|y|ow)?\b"
    rf"|^tel(?:efon)?\b|telefon do\b|pod {WHICH} numer"
    rf"|(?:gdzie|do kogo|pod co|na {WHICH}) (?:\w+ )?(?:za|prze)?dzwonic|phone number",
    "web": rf"adres\w* (?:strony|url|www|api)|na {WHICH} stronie|(?:{WHICH}|podaj) (?:\w+ )?"
    r"(?:link\w*|url\w*|endpoint\w*|wywolani\w+)",
    "percentage": rf"(?:il[eu]|{WHICH}|o ile|na {WHICH}) (?:\w+ )?procen\w*|jakie (?:jest |ma )?oprocentowani\w*|ile %"
    r"|w (?:procentach|%)",
    "duration": rf"jak (?:dlugo|szybko|czesto|predko)|(?:il[eu]|ilo\w+) {_FILL}{_TIME}"
    rf"|ile {_UP_TO_3}(?:trwa|potrwa|czeka)\w*"
    rf"|(?:w|po) {WHICH} (?:\w+ )?(?:czasie|terminie)|{WHICH} (?:jest |mam )?(?:termin|czas|okres)(?:u|em|ie|y|ow)?\b"
    rf"|z {WHICH} wyprzedzeniem|ile {_FILL}(?:wczesniej|wczesnie|naprzod)|how (?:long|often|soon)",
    "money": rf"il[eu] {_UP_TO_3}{_PAYING}|ile {_FILL}za (?!ile)|po ile\b|ile {_UP_TO_3}{_SUM}\w*"
    rf"|ile {_FILL}dosta(?:ne|nie)(?: (?:za|na|od|zwrotu)\b|\W*$)|{WHICH} (?:jest |sa |beda |wynosi |grozi )?(?:\w+ )?"
    rf"{_SUM}\w*|{_SUM}\w*(?: \w+){{0,4}} ile (?:wynos|wynies|koszt)\w+"
    rf"|cennik|na (?:jaka|ile) kwot\w+|ile {_FILL}(?:wyjdzie|wychodzi|wyniesie)\b"
    r"|how much (?:is|does|do|will)|price",
    "hour": rf"o ktor(?:ej|ych)\b|{WHICH} godzin\w+|w {WHICH} godzin\w+|^god?i?z?in\w+"
    r"|godzin\w+ (?:otwarc|prac|urzedow|przyje)\w+|(?:do|od) ktorej (?:jest|sa|mozna|czynn|otwart|pracuj|przyjmuj|czek"
    r"|musz|mog|dzis|jutro|w\b|bed|siedz|dzial)|(?:do|od) ktorej\W*$|what time|opening hours"
    r"|(?<![aeiy], )(?:do|od) ktorej (?:moze|trwa|gra|mam|macie|trzeba|nalezy|wpuszcz|wydaj|zamyk|otwier)",
    "day": rf"ktorym wieku|{WHICH} (?:jest |byla )?(?:dzien|dnia|dniu|miesiac\w*|roku|date|data|daty|day|year)\b"
    r"|^data\b|what date",
    "date": rf"kiedy|{WHICH} (?:to )?(?:\w+ )?(?:dni|dniach)\b|when\b|deadline",
    "person": rf"kto (?:\w+ )?(?:jest|byl\w*|bedzie|zostal\w*) (?:\w+ )?{_POST}\w*"
    r"|(?:jak\w+|podaj|czyje) (?:\w+ )?nazwisk\w*|^nazwisk\w*"
    r"|kto (?:u (?:was|nas|nich) |tam |teraz |w \w+ )?(?:rzadzi|szefuje|przewodniczy|stoi na czele)"
    r"|kto kieruje (?:refera|wydzia|urzed|biur|dzial|jednost|szkol|zespol|straz|komisj|miast|gmin|zaklad)\w+"
    rf"|jak (?:sie )?(?:nazywa|zwie|ma na imie)\w*(?: sie)? (?:\w+ )?(?:{_POST}|osob|pan)\w*|jaka osoba"
    rf"|who (?:is|was) (?:the )?{_POST}",
    "agent": rf"(?:kto|kogo|komu|kim(?! (?:jest|byl|byla|sa|byli|to))|czyja|czyj|czyje|czyjej|who|whom|whose)\b"
    rf"|{WHICH} {_BODY}\w*|gdzie (?:\w+ )?(?:za|prze)?dzwonic",
    "document": rf"(?:{WHICH}|co za) (?:\w+ )?{_PAPER}\w*|co (?:\w+ ){{0,2}}(?:przyniesc|dolaczyc|zalaczyc"
    r"|wypelnic|doniesc|podpisac)|what documents",
    "place": rf"(?:gdzie|skad|dokad|ktoredy|where)\b|{WHICH} (?:mie(?:js|sc)\w+|kraj\w+|panstw\w+|wsi|region\w+"
    r"|wojewodztw\w+|dzielnic\w+|ulic\w+|budynk\w+|adres\w*)|jaki (?:jest )?adres|^adres\b",
    "code": rf"(?:{WHICH}|podaj) (?:\w+ )?(?:kod\w*|symbol\w*|numer\w*|nr|sygnatur\w+|norm\w*|wersj\w+|komend\w+"
    r"|polecen\w+|wpis\w*|pin\w*|hasl\w+)\b|^(?:numer|nr|kod|symbol|norma)\b|komenda\W*$",
    "number": rf"il[eu]\b|iloma\b|ilokrotn\w*|jak (?:duz|wysok|dlug|szerok|glebok|dalek|wiel|ciezk|star)\w*"
    r"|jak(?:i|a|ie) (?:duz|najwieksz|najmniejsz)\w*"
    rf"|{WHICH} (?:jest |byl\w* |moze byc )?(?:maks\w* |max |minim\w* )?(?:liczb|wysokos|szerokos|dlugos|powierzchni"
    r"|odleglos|temperatur|pojemnos|mas[aey]\b|limit|rozmiar|wiek|wymiar|prog(?:i|u|iem)?\b|wag[aeiy]\b|odset|stopien|maks\b)\w*"
    r"|^limit\w*|^kurs (?:euro|dolar|frank|funt|koron|walut)\w*|how (?:many|much|big|far|old)",
}
# "Ile" asks for a number unless it asks for an amount, a time, a share at the same place.
YIELDS: dict[Kind, frozenset[Kind]] = {
    "number": frozenset({"money", "duration", "percentage", "hour", "date", "day", "account", "phone", "room"}),
    "code": frozenset({"account", "phone", "room", "web", "percentage"}),
    "agent": frozenset({"person"}),
    "money": frozenset({"percentage", "duration"}),
    "phone": frozenset({"room", "account"}),
    "place": frozenset({"phone", "email", "room", "web"}),
    "date": frozenset({"duration", "day"}),
    "document": frozenset({"number"}),
    "day": frozenset({"duration"}),
}

# What is merely spoken of, "opłata", "termin": a sentence that has such a thing is preferred, none is missed.
HINTS: dict[Kind, str] = {
    "money": rf"{_SUM}\w*|fee\b|zaplac\w*|placic\b|place\b",
    "date": r"termin\w*",
    "duration": r"termin\w*|w ciagu|wyprzedzeni\w+",
    "number": r"limit\w*|numer\w*|rozmiar\w*|max\b|maks\w*",
    "hour": r"czynn\w+|otwart\w+|godzin\w*|dyzur\w*",
    "phone": r"telefon\w*|dzwonic|zadzwonic|kontakt\w*",
    "email": r"e-?mail\w*|napisac",
    "document": r"formularz\w*|druk\w*",
}

SHAPES: dict[Kind, str] = {
    "comparison": r"rozni\w*|porown\w+|vs\b|versus|lepsz\w+|w porownaniu|co sie zmienil\w+|compare|difference"
    r"|(?:o ile|co) (?:\w+ )?(?:wiecej|mniej|drozej|taniej|szybciej|wczesniej|podroz\w+|wzros\w+|zdroz\w+)"
    rf"|\bczy\b.+\bczy\b|^\w+ czy \w+|{WH}\b.+,? a {WH}\b|w to samo|tak samo",
    "reason": r"dlaczego|czemu|z jakiego powodu|po co|o co (?:chodzi|kaman|biega|come on)|od czego to"
    r"|co (?:jest )?nie tak|w czym problem|przyczyn\w+|why\b"
    r"|co sie (?:stalo|dzieje)|co oznacza blad|skad (?:sie )?(?:bierze|wzial)\w*",
    "definition": r"^\W*(?:a )?(?:(?:kto|kim|czym|co|who|what) (?:to )?(?:jest|sa|byl\w*|oznacza|znaczy|is|are|was|were"
    r"|does)\b|co to\b)|co to(?: jest| za)?\W*$|co (?:to )?znaczy|definicj\w+|na czym polega",
    "list": r"wymien\b|wylicz|list[aey]\b|jakie sa|jakie mam|z czego|po czym poznac"
    r"|(?<!, )(?:jakie|jakich|ktore|ktorych|jakimi|ktorymi) \w+"
    r"|co (?:\w+ ){0,2}(?:zawiera|powin|mus|nalezy|trzeba|dolacz|zalacz|przygotow|obejm)\w*",
    "steps": r"jak (?!dlugo|szybko|czesto|predko|duz|wysok|dalek|wiel)"
    r"(?:(?:\w+ ){0,3}\w+c|sie (?!nazywa|zwie|ma\b)\w+)\b"
    r"|krok po kroku|procedur\w+|instrukcj\w+|w jaki sposob"
    r"|co (?:\w+ )?(?:robic|zrobic|robimy|robi sie|teraz|dalej)\b"
    r"|how (?:do|to|can)\b|(?:co|czym) (?:\w+ ){0,3}\w+c\b",
}

OPENS_YES_OR_NO = (
    r"(?:a )?(?:czy|mog[ea]|moze|mozna|musz[ea]|musi|da sie|trzeba|wolno|powin\w+|naprawde|dostan\w+|nalez[yi] sie"
    r"|is|are|do (?:i|you|we|they)|does|did|can|could|may|must|should|has|have|was|were)\b"
)
YES_OR_NO = rf"\b(?:czy nie|tak czy|nie czy|czy|{_MODAL})\b|\?\s*$"
ASKING_WORDS = frozenset("kiedy ile gdzie dlaczego czemu jakie jaki ktory ktora ktorej komu kto godziny".split())
