from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView

from knowledgetree.accessibility.views import declaration
from knowledgetree.admin import accessibility, audit_log, register, webhooks  # noqa: F401  (importing registers)
from knowledgetree.health import healthz, readyz
from knowledgetree.identity.views import to_the_login_page
from knowledgetree.metrics.views import metrics
from rag.admin.urls import urlpatterns as rag_admin_urls
from rag.api.openai.urls import open_webui_patterns

admin.autodiscover()

urlpatterns = [
    path("favicon.ico", RedirectView.as_view(url=static("icons/tree.svg"))),  # browsers ask, whatever the page says
    path("healthz", healthz),
    path("readyz", readyz),
    path("metrics", metrics),
    path("accessibility/", declaration, name="accessibility"),
    path("admin/login/", to_the_login_page),
    path("admin/", ([*rag_admin_urls, *admin.site.get_urls()], "admin", admin.site.name)),
    path("api/", include("ingestion.api.urls")),
    path("api/", include("rag.api.urls")),
    path("v1/", include("rag.api.openai.urls")),
    path("openwebui/v1/", include(open_webui_patterns)),
    path("", include("rag.api.mcp.urls")),
    path("dify/", include("rag.api.dify.urls")),
    path("", include("knowledgetree.identity.urls")),
    path("", include("rag.chat.urls")),
]

handler500 = "knowledgetree.http.outage.failed_request"
