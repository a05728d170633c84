"""`query`: an answer on the command line, and below it what it stands on."""

import re
from io import StringIO

from django.core.management import call_command

from ingestion.models import Collection
from tests.conftest import AddDocument


def test_a_blank_line_parts_an_answer_from_its_sources(public: Collection, index: AddDocument) -> None:
    index(public, "Opłata skarbowa za pełnomocnictwo wynosi 17 zł.", name="oplaty.txt")
    out = StringIO()
    call_command("query", "Ile wynosi opłata skarbowa za pełnomocnictwo?", stdout=out)
    assert re.search(r"17 zł\. \[1\]\n\n\[1\] ", out.getvalue())
