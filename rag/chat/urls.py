from django.urls import path

from rag.chat.account import keys, letters, overview, sessions
from rag.chat.asking import views
from rag.chat.conversations import exports, feedback, gap_reports, rail, sharing
from rag.chat.conversations import views as conversations
from rag.chat.library import views as library
from rag.chat.reading import consolidated, documents, page_images, pdf_documents

app_name = "chat"

urlpatterns = [
    path("", views.home, name="home"),
    path("ask/", views.ask_with_form, name="ask"),
    path("ask/stream/", views.ask_with_stream, name="ask_stream"),
    path("c/<uuid:pk>/", views.conversation, name="conversation"),
    path("c/<uuid:pk>/rename/", conversations.rename, name="rename"),
    path("c/<uuid:pk>/delete/", conversations.delete, name="delete"),
    path("c/<uuid:pk>/share/", conversations.share, name="share"),
    path("c/<uuid:pk>/export.md", exports.markdown, name="export_markdown"),
    path("c/<uuid:pk>/export.docx", exports.word, name="export_word"),
    path("c/<uuid:pk>/export.pdf", exports.pdf, name="export_pdf"),
    path("c/<uuid:pk>/export.json", exports.data, name="export_data"),
    path("s/<uuid:pk>/", sharing.shared, name="shared"),
    path("r/<uuid:pk>/", sharing.reviewed, name="reviewed"),
    path("conversations/", rail.conversations, name="conversations"),
    path("feedback/", feedback.give_feedback, name="feedback"),
    path("gaps/", gap_reports.report, name="report_gap"),
    path("gaps/<int:pk>/told/", gap_reports.told, name="gap_told"),
    path("account/", overview.account, name="account"),
    path("account/sessions/others/end/", sessions.end_other_sessions, name="end_other_sessions"),
    path("account/sessions/<int:pk>/end/", sessions.end_session, name="end_session"),
    path("account/keys/new/", keys.new_key, name="new_key"),
    path("account/keys/<int:pk>/revoke/", keys.revoke_key, name="revoke_key"),
    path("account/letters/", letters.save_choice, name="choose_letters"),
    path("account/letters/stop/<str:token>/", letters.end_letters, name="stop_letters"),
    path("library/", library.library, name="library"),
    path("library/<slug:slug>/", library.collection, name="library_collection"),
    path("documents/<int:pk>/", documents.document, name="document"),
    path("documents/<int:pk>/consolidated/", consolidated.consolidated, name="consolidated"),
    path("documents/<int:pk>/original/", documents.original, name="original"),
    path("documents/<int:pk>/pdf/", pdf_documents.pdf, name="pdf"),
    path("documents/<int:pk>/pages/<int:page>.webp", page_images.page_image, name="page_image"),
]
