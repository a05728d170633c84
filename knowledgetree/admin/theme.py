"""How the administration looks: `settings.UNFOLD`. Read with the settings, so that it imports nothing of ours."""

from django.templatetags.static import static
from django.utils.translation import gettext_lazy as _

UNFOLD = {
    "SITE_TITLE": "KnowledgeTree",
    "SITE_HEADER": "KnowledgeTree",
    "SITE_SUBHEADER": _("Knowledge base"),
    "SITE_URL": "/",
    "SHOW_LANGUAGES": False,
    "SIDEBAR": {"navigation": "knowledgetree.admin.sidebar.navigation"},
    "DASHBOARD_CALLBACK": "knowledgetree.admin.start.start_page",
    # In a file instead, which the content security policy allows; a dict would be merged into unfold's own.
    "COLORS": lambda _: {},
    "STYLES": [lambda _: static("admin/knowledgetree/colors.css")],
    "SCRIPTS": [lambda _: static("admin/knowledgetree/htmx.js")],
}
