"""Words that carry no topic: they stand in the index, but a question is not searched for them."""

from ingestion.text.diacritics import fold

POLISH = frozenset(
    """a aby albo ale ani aż bardzo bez bo bowiem być by byłby był była było były będą będzie będę chcę chce
    chciałbym chciałabym chyba ci cię co coś czego czemu czy czyj czyja czyje czym da dla do dlaczego gdy gdyż
    gdzie go i ich ile ilu im iż ja jak jaka jaką jaki jakie jakiego jakiej jakich jakim jakimi jako jakieś je
    jednak jego jej jemu jest jestem jeszcze jeśli jeżeli już ją każdy kiedy kim kto ktoś która którą które
    którego której który których którym którymi którzy lub ma mają mam mamy mi mieć mnie mną może mogą można
    mogę mój moja moje mu musi muszę my na nad nam nami nas nasz nasza nasze natomiast nawet nią nich nie
    niego niej nim nimi niż no o od on ona one oni ono oraz po pod podczas ponieważ poprzez powinien powinna
    powinno proszę przed przez przy są się sobie swój swoja swoje ta tak taka taki takie także tam te tego tej
    ten też to tobie tu twój ty tych tylko tym w we więc właśnie wszystko wtedy z za zaś ze został została
    zostało zostały że żeby ów owa owo trzeba należy przypadku temat powiedz podaj wymień opisz""".split()
)
ENGLISH = frozenset(
    """a about am an and any are as at be been but by can could did do does for from had has have how i if in into is
    it its me my not of on or our should so some such than that the their them then there these they this
    those to up was we were what when where which who why will with would you your""".split()
)
GERMAN = frozenset(
    """aber alle als am an auch auf aus bei bin bis bitte brauche braucht dann darf das dass dem den denn der des die
    dieser diese dieses doch du durch ein eine einem einen einer eines er es für gibt haben habe hat hatte hier ich ihm
    ihn ihr ihre im in ist ja jede jeden jeder jedes kann kein keine keinen kostet können könnte machen man mein meine
    meinen meiner mich mir mit muss müssen nach nicht nichts noch nur ob oder ohne sein seine sich sie sind so soll um
    und uns unser unsere unter viel viele vom von vor wann war warum was weil welche welchem welchen welcher welches
    wenn wer werden wie wieviel wir wird wo wofür wurde zu zum zur zwischen über""".split()
)
"""They tell a German text; the search does not leave them out."""
_TYPED_PLAIN = frozenset("beda bedzie cie juz moga musze sie wiec".split())
"""Function words typed without diacritics that dictionaries have for rare words and names."""
STOP_WORDS = POLISH | ENGLISH | _TYPED_PLAIN
FOLDED_STOP_WORDS = frozenset(fold(word) for word in POLISH if not word.isascii())
"""Function words as they are typed without diacritics; some are also words of their own, such as "maja"."""
