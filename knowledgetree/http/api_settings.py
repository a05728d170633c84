"""Settings of the API: who calls, how often, and what its schema says."""

from knowledgetree.env import env_int, env_str

_VERSION = "1.0.0"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "ingestion.api.authentication.KeyAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["ingestion.api.permissions.EditorPermission"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": [
        "knowledgetree.http.json_body.BoundedJSONParser",
        "rest_framework.parsers.FormParser",
        "rest_framework.parsers.MultiPartParser",
    ],
    "ALLOWED_VERSIONS": [_VERSION],  # what a caller may name; the schema writes it into a header
    "DEFAULT_SCHEMA_CLASS": "ingestion.api.schema.ScopedSchema",
    "DEFAULT_PAGINATION_CLASS": "ingestion.api.pagination.Pages",
    "DEFAULT_THROTTLE_CLASSES": ["knowledgetree.http.limits.ScopedLimit", "ingestion.api.limits.KeyLimit"],
    "DEFAULT_THROTTLE_RATES": {
        "search": env_str("SEARCH_RATE", "600/min"),
        "ask": env_str("ASK_RATE", "120/min"),
        "feedback": env_str("FEEDBACK_RATE", "60/min"),
        "widget": env_str("WIDGET_RATE", "60/min"),
        "widget_session": env_str("WIDGET_SESSION_RATE", "30/min"),
    },
    "EXCEPTION_HANDLER": "knowledgetree.problems.problem_response",
    # Of those in front of us that write X-Forwarded-For; 0: none, so that nobody can invent an address.
    "NUM_PROXIES": env_int("PROXIES", 0),
}

SPECTACULAR_SETTINGS = {
    "TITLE": "KnowledgeTree",
    "DESCRIPTION": "Search and ask a Polish knowledge base; every claim of an answer cites its passage.",
    "VERSION": _VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "knowledgetree.http.schema_examples.add_examples",
    ],
    "ENUM_NAME_OVERRIDES": {
        "DocumentStatusEnum": "ingestion.models.Document.Status",
        "JobKindEnum": "ingestion.models.Job.Kind",
        "JobStatusEnum": "ingestion.models.Job.Status",
        "OriginEnum": "rag.api.passages.ORIGINS",
        "SubstituteOriginEnum": "rag.api.passages.SUBSTITUTE_ORIGINS",
        "StepKindEnum": "rag.api.verification.STEP_KINDS",
        "FeedbackVerdictEnum": "rag.models.Feedback.Verdict",
        "EvaluationKindEnum": "rag.models.EvaluationRun.Kind",
        "ProblemKindEnum": "rag.api.verification.PROBLEM_KINDS",
    },
}
