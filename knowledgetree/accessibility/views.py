"""The declaration, for everybody."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from knowledgetree.accessibility.models import statement
from knowledgetree.accessibility.tested import ENGINE, JOURNEYS, KNOWN_FAULTS, PAGES, STANDARD


def declaration(request: HttpRequest) -> HttpResponse:
    """Where nobody has made one, what is known of the program stands alone."""
    made = statement()
    return render(
        request,
        "accessibility.html",
        {
            "made": made,
            "address": request.build_absolute_uri("/"),
            "meets": made is not None and not made.unmet_lines and not KNOWN_FAULTS,
            "standard": STANDARD,
            "engine": ENGINE,
            "pages": PAGES.values(),
            "journeys": JOURNEYS.values(),
            "faults": KNOWN_FAULTS,
        },
    )
