"""Pages of the admin that belong to no model of their own; they stand before the site's, in its namespace."""

from django.contrib import admin
from django.urls import path

from rag.admin.assistants.preset_pages import presets_view
from rag.admin.conflicts.board import board_view
from rag.admin.conflicts.board import decide_view as decide_conflict_view
from rag.admin.dashboard.dashboard import dashboard_view
from rag.admin.evaluation.synonym_effect import effect_view
from rag.admin.gaps.case import case_view
from rag.admin.gaps.export import export_view
from rag.admin.gaps.gaps import gap_of_question_view, inbox_view
from rag.admin.gaps.page import answered_view, ask_again_view, gap_view
from rag.admin.gaps.word_proposals import decide_view, proposals_view
from rag.admin.hit_testing.hit_testing import hit_testing_view
from rag.admin.hit_testing.marks import mark_view, new_set_view
from rag.admin.settings.prompts import prompts_view
from rag.admin.settings.settings_page import settings_view

urlpatterns = [
    path("rag/dashboard/", admin.site.admin_view(dashboard_view), name="rag_dashboard_changelist"),
    path("rag/prompts/", admin.site.admin_view(prompts_view), name="rag_prompts_changelist"),
    path("rag/presets/", admin.site.admin_view(presets_view), name="rag_presets_changelist"),
    path("rag/settings/", admin.site.admin_view(settings_view), name="rag_settings_changelist"),
    path("rag/knowledgegap/", admin.site.admin_view(inbox_view), name="rag_knowledgegap_changelist"),
    path("rag/knowledgegap/export/", admin.site.admin_view(export_view), name="rag_knowledgegap_export"),
    path("rag/knowledgegap/words/", admin.site.admin_view(proposals_view), name="rag_wordproposal_changelist"),
    path("rag/knowledgegap/words/<int:pk>/", admin.site.admin_view(decide_view), name="rag_wordproposal_decide"),
    path("rag/knowledgegap/<int:pk>/", admin.site.admin_view(gap_view), name="rag_knowledgegap_change"),
    path("rag/knowledgegap/<int:pk>/ask/", admin.site.admin_view(ask_again_view), name="rag_knowledgegap_ask"),
    path("rag/knowledgegap/<int:pk>/answered/", admin.site.admin_view(answered_view), name="rag_knowledgegap_answered"),
    path("rag/knowledgegap/<int:pk>/case/", admin.site.admin_view(case_view), name="rag_knowledgegap_case"),
    path(
        "rag/knowledgegap/of/<uuid:exchange>/",
        admin.site.admin_view(gap_of_question_view),
        name="rag_knowledgegap_of_question",
    ),
    path("rag/conflict/", admin.site.admin_view(board_view), name="rag_conflict_changelist"),
    path("rag/conflict/<int:pk>/", admin.site.admin_view(decide_conflict_view), name="rag_conflict_decide"),
    path("rag/hit-testing/", admin.site.admin_view(hit_testing_view), name="rag_hit_testing_changelist"),
    path("rag/hit-testing/mark/", admin.site.admin_view(mark_view), name="rag_hit_testing_mark"),
    path("rag/hit-testing/new-set/", admin.site.admin_view(new_set_view), name="rag_hit_testing_new_set"),
    path(  # under the name that the page of a group links to: it knows nobody who measures
        "ingestion/synonymgroup/<int:pk>/effect/",
        admin.site.admin_view(effect_view),
        name="ingestion_synonymgroup_effect",
    ),
]
