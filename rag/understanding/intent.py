"""The intent of a question, by rules in Polish and English, and how broadly each intent is searched."""

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import Literal

from ingestion.text.diacritics import fold
from rag.understanding.keywords import entities, keywords, names_no_topic

Intent = Literal["performance", "comparison", "technical", "summary", "factoid", "procedure", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class IntentAnalysis:
    """`confidence` in [0, 1]; `keywords` are lemmas, most specific first."""

    intent: Intent
    confidence: float
    keywords: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Breadth:
    """How a question is searched: passages of at least `threshold` calibrated relevance, at most `limit` of them."""

    threshold: float
    limit: int


# Broad where the answer is gathered from many places, focused where one passage holds it.
_BREADTHS: dict[Intent, Breadth] = {
    "performance": Breadth(threshold=0.15, limit=15),
    "comparison": Breadth(threshold=0.20, limit=12),
    "technical": Breadth(threshold=0.25, limit=10),
    "summary": Breadth(threshold=0.10, limit=20),
    "factoid": Breadth(threshold=0.30, limit=6),
    "procedure": Breadth(threshold=0.25, limit=8),
    "unknown": Breadth(threshold=0.20, limit=10),
}

# (intent, weight, phrases). Phrases are matched on lower-case words without diacritics and punctuation.
# They are regular expressions with three shorthands: `stem*` is a word that begins so, ` ... ` up to four words, <inf>
# a Polish infinitive. Weight 4 says it outright, 3 hardly means anything else, 2 leans towards it, 1 tips the scales.
# Where two intents draw, the one that comes first here is taken.
_RULES: tuple[tuple[Intent, float, str], ...] = (
    # complains that it is slow
    ("performance", 4, r"""
    (?<!czy )(?<!nie )wolno(?! mi| <inf>)|wolniej*|powoli|powoln*|woln(?:y|a|e|ego|ym|ej) (?:system*|serwer*|intern*|
    wyszuk*|stron*|aplik*|program*|komput*)|spowaln*|spowoln*|zwalnia(?! z| od| pracown*)|muli|mula|zamula*|lag[is]?|
    laguj*|(?:przy|za)cina(?:ja)?|tnie sie|(?:za)?wiesza(?:ja|nie)? sie|sie (?:\w+ )?(?:za)?wiesza(?:ja)?|dlawi*|
    slow(?:er|ly|ness|s)?|slowdown*|sluggish*|hang(?:s|ing)|freez(?:es|ing)|(?:takes?|taking|took) (?:\w+ ){0,2}(?:long|
    forever|ages)|ledwo (?:dziala|chodzi|zipie)|slimacz*|nie (?:wyrabia*|nadaza*)|unresponsive"""),
    # asks about speed or load
    ("performance", 4, r"""
    wydajn*|niewydajn*|przepustow*|skalowaln*|skaluj*|przeciaz*|obciaz* (?:serwer*|system*|baz*|procesor*|cpu|sieci)|
    opoznieni* (?:przy|api|w api|sieci*|odpowiedzi|wyszuk*|system*)|wask* gard*|optymaliz*(?! (?:podat*|koszt*))|
    zoptymaliz*|przyspiesz*|latency|throughput|bottleneck*|scalab*|scale (?:to|up|out)|performan(?:ce|t)(?! (?:review*|
    apprais*|bonus*|evaluat*|goal*))|optimi[sz]*|speed(?! limit)|tuning|benchmark*|(?:heavy|high|under) load|
    (?:response|load|loading|query) times?|czas* (?:ladowania|wyszukiwania|generowania|indeksowania)|(?:zuzyci*|zuzywa*|
    zjada|zzera) ... (?:pamiec*|ram*|cpu|procesor*|zasob*)|(?:pamiec*|ramu?|cpu|procesor*) (?:\S+ ){0,2}(?:zuzywa*|
    zjada|zajmuje)|(?:zapytan|requests|queries|dokumentow) na sekunde|(?:memory|cpu|ram|gpu|disk) (?:usage|consumption|
    leak)|wyciek* pamieci"""),
    # waits long for a machine
    ("performance", 4, r"""
    dlugo (?:\S+ ){0,4}(?:laduj*|wczyt*|otwier*|generuj*|odpowiad*|uruchami*|wyszuk*|szuka|indeksuj*|zapisuj*|startuj*|
    logowani*|przetwarz*|mieli)|(?:ladowani*|laduj*|wczyt*|otwier*|generow*|generuj*|odpowiada|uruchami*|wyszuk*|
    indeks*|zapytani*|raport*|mieli) (?:\S+ ){0,4}(?:wieki|wiecznosc|dlugo|minut*|sekund*)|(?:odpowiedz*|wynik*|strone|
    raport) (?:\S+ ){0,3}(?:czeka|czekam*|czekac) (?:\S+ ){0,4}(?:sekund*|minut*|dlugo)|(?:czeka|czekam*|
    czekac) (?:\S+ ){0,3}(?:sekund*|minut*) na"""),
    # asks what the machine can bear
    ("performance", 3, r"""
    wytrzyma*|udzwign*|pod obciazeniem|jednoczesn* ... uzytkownik*|uzytkownik* ... jednoczesnie|(?:skroc*|zmniejsz*|
    obniz*|popraw*) ... (?:czas* (?:odpowiedzi|reakcji)|opoznien*|zuzyci*)|(?:reduce|cut|improve) ... time|
    concurrent (?:users|requests|queries)|(?:handle|obsluz*) ... (?:users|requests|queries|uzytkownik*|zapytan)"""),
    # wants it faster
    ("performance", 2, r"""
    szybciej|faster|quicker|szybk* ... (?:dziala*|system*|wyszuk*|serwer*|odpowiada)|cach(?:e|ing)|pamiec* podreczn*|
    timeout*|kart* graficzn*|gpu|ram|ramu|procesor*|rdzen*|ssd|cores"""),
    # compares outright
    ("comparison", 4, r"""
    porown*|vs|versus|roznic*|rozni|roznia|odrozni*|podobienstw*|wad* i zalet*|zalet* i wad*|plus* i minus*|
    za i przeciw|compar*|differ|differs|difference*|different (?:from|than)|distinguish*|pros and cons|
    advantages? (?:\S+ ){0,4}over|similarit*|przewag* (?:\S+ ){0,4}nad|w przeciwienstwie|(?:to|the) sam[oey]? co|
    same as|w stosunku do|alternatyw*"""),
    # asks which is better
    ("comparison", 4, r"""
    (?:ktor*|co|czym|czego|czy|gdzie|what|which|whats|is|are) (?:\S+ ){0,5}(?:lepsz*|gorsz*|lepiej|korzystniej*|tansz*|
    taniej|drozsz*|szybsz*|bezpieczniejsz*|prostsz*|wygodniejsz*|bardziej|better|worse|cheaper|safer|more (?:expensive|
    secure|suitable|reliable|efficient))|(?:lepsz*|tansz*|gorsz*) (?:od|niz)|(?:better|cheaper|worse) than"""),
    # offers a choice
    ("comparison", 3, r"""
    (?:ktor*|co|czego|jaki|jaka|jakie|lepiej|bardziej|wybrac|oplaca|which|should i|should we|better|
    choose) (?:\S+ ){1,9}(?:czy|or)|(?:czy|lepiej) (?:\S+ ){1,5}czy|wybrac|choose between|
    (?:po)?miedzy (?!\d)(?:\S+ ){1,5}a|zamiast|instead of|rather than|wybor (?:po)?miedzy"""),
    # sets two things side by side
    ("comparison", 2, r"""
    ^(?!jak |gdzie |co |czy |chc|nie |prosz|how |is |are |can |do )\S+ (?:\S+ ){0,3}(?:a|czy|or) (?!co|jak|czy|kto|
    gdzie|kiedy|ile)\S+(?: \S+){0,3}$|(?:po)?miedzy (?:\S+ ){1,4}i|between (?!\d{1,2} )(?:\S+ ){1,4}and|\w+(?:szy|sza|
    sze|iej|er) (?:niz|than)(?! \d)"""),
    # asks for a summary
    ("summary", 4, r"""
    stresc*|streszcz*|podsumuj*|podsumow*|w skrocie|skrotowo|skroc (?:mi|ten|to|te|dokument*)|skrot (?:dokument*|
    ustalen*|zmian*|najwaz*)|w (?:kilku|paru|trzech|dwoch|jednym|pieciu) (?:zdani*|slow*|punkt*)|w pigulce|zwiezl*|tldr|
    tl dr|summar*|sum up|overview*|gist|recap*|takeaways?|in a nutshell|in short|in brief|briefly|(?:few|two|three|five|
    one) (?:\w+ )?(?:sentences?|words|bullet*|points|lines)|short version|highlights|high-level|synopsis|rundown|
    big picture|bottom line|zarys*|boil* down|outline"""),
    # asks what a text says on the whole
    ("summary", 4, r"""
    o czym (?:jest|sa|mowi*|traktuj*|byl*|opowiada|stanowi)|czego dotycz*|co zawiera*|(?:glown*|kluczow*|najwazniejsz*|
    najistotniejsz*) (?:\w+ )?(?:zaloz*|punkt*|cel*|wniosk*|tez*|zmian*|ustalen*|postanow*|zapis*|obszar*|informac*|
    zasad*|watk*|kwesti*|rekomendac*|mysl*|element*|tresc*|rzecz*)|podstawow* (?:zaloz*|tez*|zasad*)|
    co (?:jest )?najwazniejsz*|najwazniejsze z|(?:main|key|core|most important) (?:\w+ )?(?:points?|ideas?|findings?|
    changes?|conclusions?|messages?|themes?|goals?|results?|topics?|principles?|provisions?|decisions?)|what(?:s| is|
     are| was) (?:\S+ ){1,6}about$|wnioski (?:z|ze)|jakie (?:\S+ ){0,2}wnioski|co wynika z|co ustalono|o co chodzi w|
    co (?:wiemy|wiadomo) o|jakie (?:\S+ )?(?:tematy|kwestie)|do(?:es)? (?:\S+ ){1,4}cover|know about|sedno"""),
    # asks what is new
    ("summary", 3, r"""
    co (?:sie )?(?:nowego|zmienil*|zmienia)|what (?:has )?changed|what(?:s| is) new|^przeglad|(?:zrob|przygotuj|daj|
    podaj|potrzebuj*|prosze o) (?:\w+ )?(?:przeglad|opracowani*|notatk*|zestawieni*|skrot)|przeglad (?:zmian|dokument*|
    przepis*|projekt*|wynik*|temat*)"""),
    # asks in general
    ("summary", 2, r"""
    opowiedz|tell me about|ogolnie|ogolne zasady|generalnie|najogolniej|krotko|omow|opisz|przedstaw|przybliz*|describe|
    wprowadzeni* do|w punktach|bullet points|cal(?:y|ego) dokument*"""),
    # reports a fault
    ("technical", 3, r"""
    \w*(?:error|exception)s?|stack ?trace|traceback|wywala|wywalilo|crash*|segfault|blad(?! w (?:faktur*|umow*|wnios*|
    pism*|deklar*|dokum*|akcie|nazw*|danych))|bled(?:y|ow|em|u)|wyjatek|(?:http|status|kod|dostaj*|zwraca|wyswietla|
    pokazuje|returns?|getting|get) (?:\w+ )?[45]\d\d|[45]\d\d (?:error|blad)|nie laczy|(?:connection|permission|
    access) (?:refused|denied|reset)|unauthorized|forbidden|fails?|failing|failed|z?debug*|troubleshoot*|not working|
    (?:doesnt|wont|cant) (?:work|connect|start|load)|broken|nie dziala*|przestal* dzialac|nie (?:uruchamia|startuje)|
    sie nie (?:uruchamia|laczy)"""),
    # asks to build or configure
    ("technical", 2.5, r"""
    s?konfigur*|zainstal*|instalow*|instalacj*(?! (?:fotow|gaz|elektr|grzew|wod|sanit))|z?integr*|wdrozy*|podpi*|
    podlacz*|za?implement*|deploy*|configur*|install*|set ?up|setting up|connect|authenticat*|migrat*|migracj*|zmigr*|
    uwierzyteln*|zaindeks*|przeindeks*|indeksow*|reindex*|indexed|s?parsow*|kompil*|z?restartow*|upgrade|backup*|
    kopi* zapasow*|za?szyfrow*|encrypt*|odpyt*|zautomatyz*|synchroniz*|zaktualizowac (?:system*|serwer*|wersj*|bibliot*|
    model*)|customi[sz]e|expose|wystawic (?:api|uslug*|endpoint*)|hostow*|self-host*|wywol* (?:api|funkcj*|metod*|
    endpoint*|uslug*)|z poziomu (?:kodu|python*|skryptu)"""),
    # asks how something works inside
    ("technical", 2, r"""
    (?:jak|w jaki sposob) (?:\S+ ){0,4}dziala*|how (?:does|do|is|are) (?!i |we |you |one )(?:\S+ ){1,5}(?:works?|
    calculated|computed|stored|handled|split|indexed|encrypted|implemented|generated|chosen|scored|ranked|chunked)|
    under the hood|pod spodem|(?:jak|w jaki sposob) (?:\S+ ){0,3}(?:jest|sa) (?:\S+ )?\w+(?:ny|na|ne|ni|ty|ta|te)|
    architektur* (?:system*|aplik*|rozwiaz*)"""),
    # names computing
    ("technical", 2, r"""
    supports?|wspiera|kompatybiln*|wymagania (?:sprzetow*|systemow*)|komend*|polecenie|terminal*|parametr*|
    ustawien* (?:system*|serwer*|aplik*)|apis?|(?<!the )rest|endpoint*|webhook*|json*|xml*|csv|yaml|sql*|postgre*|mysql|
    oracle|docker*|kubernetes*|linux*|windows server|nginx*|apache|redis*|python*|django*|javascript|php|bash*|curl*|
    jwt|oauth*|oidc|sso|saml*|ldap*|active directory|keycloak*|ssl*|tls|ssh|s?ftp|https?|url|dns*|vpn*|smtp|cron*|
    embedding*|wektor*|vector*|chunk*|na fragmenty|tokenizer*|token(?:u|y|ow|s)?|indeks*|index|llm*|rag|model* jezykow*|
    language model|rerank*|retriev*|prompt*|baz(?:a|e|y|ie) danych|databas*|serwer*|servers?|backend*|frontend*|
    plik* konfig*|\.env|env|zmienn* srodowiskow*|environment variable*|port|portu|firewall*|logi|logow|logach|logs|git|
    github|gitlab|framework*|algorytm*|algorithm*|hash*|autoryzac*|cookie*|cors|csrf|parser*|schema|schemat* baz*|
    skrypt*|scripts?|query|queries|sdk|qdrant|ocr|utf-?8|kodowani* znakow|encoding|certyfikat* (?:ssl|tls|serwer*)|
    middleware*|proxy|container*|regex*|wyrazen* regularn*|celery|pipeline*|klucz* (?:api|publiczn*|prywatn*|szyfr*)|
    kod* zrodlow*|format* (?:plik*|danych)"""),
    # asks for the steps
    ("procedure", 3, r"""
    krok po kroku|kroki|step by step|steps|od czego zaczac|co (?:\w+ )?(?:zrobic|zabrac|zalaczyc|dolaczyc|przygotowac|
    przyniesc|robic)|co (?:ja )?(?:musze|nalezy|trzeba|powinienem|powinnam|musimy) <inf>|co powin* zawierac|co (?:jest|
    bedzie) potrzebne|what (?:do|should|must) (?:i|we) (?:do|need|bring|submit|attach)|what (?:documents|forms?|
    paperwork)|where (?:do|can|should) (?:i|we) (?:click|apply|submit|report|register|file|send|request|sign|upload|go)|
    jakie (?:\S+ )?(?:dokumenty|zalaczniki|formalnosci)|jaki (?:wniosek|formularz|druk)|procedur*|(?:process|
    procedure) (?:for|to)|(?:do kogo|gdzie|komu) (?:\w+ ){0,2}(?:zlozyc|zglosic|zalatwic|wyslac|zwrocic|oddac|przeslac|
    zarejestrowac|zapisac|isc|udac|kliknac|zameldowac)"""),
    # asks how to do something
    ("procedure", 2, r"""
    jak (?!dlugo|czesto|wysok|duz|szybko)(?:\S+ ){0,3}<inf>|w jaki sposob (?:\S+ ){0,3}<inf>|
    jak (?:sie )?(?:\w+ )?(?:sklada*|zglasza*|zaklada*|wypelnia*|zalatwia*|rejestruj*|zapisuj*|zamawia*|ubiega*|
    zmieniam?|robi|robie|moge|zalatwie|zglosze|zmienie|dodam)|how (?:to|(?:do|can|should|would) (?:i|we|you|one|
    employees)|(?:does|can|should) (?:an? )?(?:\w+ )(?:apply|request|submit|register|report))|way to|jak sie (?!nazywa|
    ma |zmieni|rozni|dziala)\w+[aei]|jak wyglada (?:proces*|tryb*|skladani*)|walk me through|guide (?:to|for)"""),
    # wants to get something done
    ("procedure", 3, r"""
    (?:chce|chcialbym|chcialabym|chcemy|potrzebuj*|musze|musimy|zamierzam|probuje) (?!(?:sie )?(?:wiedziec|zapytac|
    dowiedziec|spytac|zrozumiec|poznac|miec))(?:\w+ )?<inf>|(?:i|we) (?:need|want|have|would like) to|^(?:need|want) to|
    (?:zgubil*|zapomnial*|ukradli|i lost|i forgot)|co teraz|zasad* (?:skladan*|zglasz*|ubiegan*)|^(?:skladanie|
    zglaszanie|zakladanie|wypelnianie|rejestracja|zamawianie|wymiana|instrukcja)"""),
    # asks for an amount or a time
    ("factoid", 3, r"""
    ile|ilu|jak (?:dlugo|czesto|wysok*|duz*|daleko|szybko (?:dosta*|otrzym*|rozpatr*))|^(?:\w+ )?kiedy|(?:do|od|na|mi|
    wiem|wiedziec) kiedy|o ktorej|(?:w|od|do|z|przed) ktor* (?:rok*|dni*|miesiac*|godzin*)|how (?:many|much|long|often|
    old|far|big|late|soon)|what (?:time|date|day|year)|^when|jak(?:i|a|ie|ich|iej|im) (?:jest |sa |byl* |
    bedzie )?(?:aktualn* |obecn* |maksymaln* |minimaln* )?(?:stawk*|kwot*|koszt*|termin*|limit*|oplat*|wymiar*|dat*|
    cen*|wysokosc|okres*|prog|wiek|liczb*|procent*)|deadline"""),
    # asks who, where or which
    ("factoid", 2.5, r"""
    kto|kogo|komu|czyj*|who|whose|gdzie (?:jest|sa|znajd*|mieszcz*|mog* znalezc|mozna znalezc|odbyw*)|where (?:is|are|
    was)|wheres|w ktorym (?:pokoju|budynku|miejscu)|na ktorym pietrze|jak (?:sie )?nazywa*|jak(?:i|a|ie|ich|iej|
    im) (?:jest |sa |ma |byl* )?(?:aktualn* |obecn* )?(?:numer*|nr|adres*|telefon*|mail*|e-mail*|nazw*|kod*|symbol*|
    wersj*|godzin*|imie|stanowisk*|tytul*)|ktor(?:y|a|e|ej|ego|ym) (?:wersj*|dzial*|osob*|pracown*|artykul*|paragraf*|
    wydzial*|pokoj*|jednostk*|komork*|przepis*)|which (?:version|department|article|person|office|room|day|year|
    section)"""),
    # names a single fact
    ("factoid", 2.5, r"""
    (?:numer*|nr) (?:telefon*|kont*|rachunk*|pokoj*|nip|regon|krs)|godziny (?:otwarci*|pracy|urzedow*)|adres (?:e-mail|
    mail|siedzib*|do|urzed*|korespond*)|(?:telefon|kontakt|mail|e-mail) do|phone number|(?:opening|office) hours|
    co (?:oznacza*|znaczy)|what does \S+ (?:mean|stand)|definicj*|^(?:stawka|kwota|wysokosc|termin|cena|koszt|
    data) \w+"""),
    # asks for one fact
    ("factoid", 2, r"""
    ^(?:\w{1,2} )?(?:jaki(?! sposob)|jaka|jakie|jakim|jakiej|jakiego|jakich|ktory|ktora|ktore)|whats|what (?:is|are|was|
    were)|which|co to (?:jest|sa|za)|czym (?:jest|sa)|na podstawie (?:jak*|ktor*)|co mowi|podaj|is there"""),
    # asks a question
    ("factoid", 1, r"""
    ^(?:czy|is|are|does|do|can|may|must|was|has|have|will|gdzie|where|co|what|dlaczego|czemu|why)|przysluguj*|
    obowiazuj*|(?:chce|chcialbym|chcialabym) (?:sie )?(?:do)?wiedziec"""),
)  # fmt: skip

_INFINITIVE = r"(?:sie )?(?!\w*osc\b|moc\b|pomoc\b|noc\b)\w{2,}c"
_STEM = re.compile(r"(?<!\\)([a-z0-9])\*")  # `stem*`, not the star of \w*


def _compiled(phrases: str) -> re.Pattern[str]:
    """The regular expression for phrases in the notation of `_RULES`, which are broken into lines after a `|`."""
    joined = re.sub(r"\|\n\s+", "|", phrases.strip()).replace(" ... ", r" (?:\S+ ){0,4}").replace("<inf>", _INFINITIVE)
    return re.compile(r"(?<![\w.])(?:" + _STEM.sub(r"\1\\w*", joined) + r")(?!\w)")


_COMPILED = tuple((intent, weight, _compiled(phrases)) for intent, weight, phrases in _RULES)
_RANK = {intent: -place for place, intent in enumerate(dict.fromkeys(rule[0] for rule in _RULES))}
_WORD = re.compile(r"\.?\w+(?:[./-]\w+)*")
_LONGEST = 1000  # characters that are looked at: who pastes a whole document asks in its first lines
_BARE = 2  # up to so many words are a topic without a question; only what names its intent counts there
_CONVINCING = 2.5  # the score of a rule that needs no support


def classify(text: str) -> IntentAnalysis:
    """What `text` asks for, by rules alone. `confidence` grows with the best score and its margin over the next;
    it is 0 where no rule fired, and high where there is nothing in the text to look for.
    """
    text = text[:_LONGEST]
    words = _WORD.findall(fold(text).lower().replace("'", "").replace("’", ""))
    if names_no_topic(words):
        return IntentAnalysis(intent="unknown", confidence=0.95)
    intent, confidence = _decided(words)
    named = entities(text)
    lemmas = keywords(text, named)
    return IntentAnalysis(intent=intent, confidence=confidence, keywords=lemmas, entities=named)


def breadth(intent: Intent) -> Breadth:
    """The threshold and limit of the search for a question of `intent`."""
    return _BREADTHS[intent]


def _decided(words: list[str]) -> tuple[Intent, float]:
    """The best intent with its confidence."""
    least = _CONVINCING if len(words) <= _BARE else 0
    plain = " ".join(words)
    scores: defaultdict[Intent, float] = defaultdict(float)
    for intent, weight, phrases in _COMPILED:
        if weight >= least and phrases.search(plain):
            scores[intent] += weight
    if not scores:
        return "unknown", 0.0
    ranked = sorted(scores, key=lambda intent: (scores[intent], _RANK[intent]), reverse=True)
    second = scores[ranked[1]] if len(ranked) > 1 else 0.0
    return ranked[0], _confidence(scores[ranked[0]], second)


def _confidence(best: float, second: float) -> float:
    """Half for being first, half for the margin to the second, less where even the best is weak."""
    return round(min(1.0, best / _CONVINCING) * (0.5 + 0.5 * (best - second) / best), 2)
