"""Settings. Everything a deployment changes is an environment variable; `docs/configuration.md` lists them."""

from django.utils.translation import gettext_lazy as _

from knowledgetree import component_settings
from knowledgetree.admin.theme import UNFOLD  # noqa: F401  (a setting)
from knowledgetree.audit.configuration import TRACKED
from knowledgetree.credentials import feed_keys, source_secrets
from knowledgetree.database import database_settings
from knowledgetree.env import ensure_secret, env_bool, env_int, env_list, env_path, env_secret, env_str
from knowledgetree.http.api_settings import REST_FRAMEWORK, SPECTACULAR_SETTINGS  # noqa: F401  (settings)
from knowledgetree.identity.environment import ldap_environment, oidc_environment, providers_of, saml_environment
from knowledgetree.llm_environment import llm_environment
from knowledgetree.places import BASE_DIR, DATA_HOME, shipped
from knowledgetree.redis_server.environment import broker_of, caches_of
from knowledgetree.storage.environment import s3_environment, storages_of
from knowledgetree.tracing.environment import tracing_environment

VAR_DIR = env_path("VAR_DIR", DATA_HOME / "var")
FIXTURES_DIR = shipped("fixtures")

DEBUG = env_bool("DEBUG", False)
SECRET_KEY = env_secret("SECRET_KEY") or ensure_secret(VAR_DIR / "secret-key")
# Encrypts secrets that the database keeps; empty: SECRET_KEY does. Earlier ones, to decrypt what they encrypted.
ENCRYPTION_KEY = env_secret("ENCRYPTION_KEY")
ENCRYPTION_KEY_FALLBACKS = env_secret("ENCRYPTION_KEY_FALLBACKS").replace(",", " ").split()
ALLOWED_HOSTS = env_list("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1],testserver")
CSRF_TRUSTED_ORIGINS = env_list("CSRF_TRUSTED_ORIGINS")

# Directories that know who somebody is; None: there is none.
OIDC, SAML, LDAP = oidc_environment(), saml_environment(), ldap_environment()

TRACING = tracing_environment()  # None: no spans are made

INSTALLED_APPS = [
    "unfold",
    "unfold.contrib.filters",
    "django.contrib.admin.apps.SimpleAdminConfig",  # knowledgetree.urls has the pages registered: no command needs them
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.postgres",
    "rest_framework",
    "drf_spectacular",
    "django_q",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    *(["allauth.socialaccount.providers.saml"] if SAML else []),
    "allauth.usersessions",
    "auditlog",
    "knowledgetree.apps.KnowledgeTreeConfig",
    "ingestion.apps.IngestionConfig",
    "rag.apps.RagConfig",
]

MIDDLEWARE = [
    "knowledgetree.logs.trace_middleware",
    *(["knowledgetree.tracing.requests.span_middleware"] if TRACING else []),
    "knowledgetree.http.headers.headers_middleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "knowledgetree.audit.origin.origin_middleware",
    "allauth.account.middleware.AccountMiddleware",
    "knowledgetree.identity.sessions.session_use_middleware",
]

ROOT_URLCONF = "knowledgetree.urls"
ASGI_APPLICATION = "knowledgetree.asgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [shipped("templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
            "libraries": {"chat": "rag.chat.tags"},
        },
    },
]

DATABASES = {
    "default": database_settings(
        url=env_secret("DATABASE_URL"),
        embedded_directory=VAR_DIR / "postgres",
        pool=env_bool("DATABASE_POOL", False),
    )
}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = env_secret("REDIS_URL")  # empty: none; each process keeps values of its own, the database counts
CACHES = caches_of(REDIS_URL)

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
# Accounts made here first: they sign in also while the directory is away.
AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    *(["knowledgetree.identity.ldap_directory.DirectoryBackend"] if LDAP else []),
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "chat:home"
LOGOUT_REDIRECT_URL = "chat:home"
REGISTRATION = env_bool("REGISTRATION", False)  # whether strangers may make themselves an account
OWN_KEYS = env_bool("OWN_KEYS", True)  # whether everybody makes API keys for their own account
DIRECTORY_SESSION_HOURS = env_int("DIRECTORY_SESSION_HOURS", 12)
ACCOUNT_ADAPTER = "knowledgetree.identity.adapters.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "knowledgetree.identity.forms.NameAndPasswordForm",
    "change_password": "knowledgetree.identity.forms.LimitedChangePasswordForm",
    "reset_password": "knowledgetree.identity.forms.LimitedResetPasswordForm",
}
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "mandatory" if REGISTRATION else "none"
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False  # or anybody could have us write to anybody
ACCOUNT_EMAIL_SUBJECT_PREFIX = "KnowledgeTree: "
ACCOUNT_RATE_LIMITS = False  # ours are counted for all processes together
ACCOUNT_SESSION_REMEMBER = True
MFA_ADAPTER = "knowledgetree.identity.adapters.SecondFactorAdapter"
MFA_FORMS = {
    "authenticate": "knowledgetree.identity.forms.LimitedAuthenticateForm",
    "reauthenticate": "knowledgetree.identity.forms.LimitedReauthenticateForm",
    "activate_totp": "knowledgetree.identity.forms.LimitedActivateForm",
}
MFA_ALLOW_UNVERIFIED_EMAIL = True  # addresses are no way in here, so an unverified one endangers nobody
MFA_TOTP_ISSUER = "KnowledgeTree"
SOCIALACCOUNT_ADAPTER = "knowledgetree.identity.provider_adapter.ProviderAdapter"
SOCIALACCOUNT_PROVIDERS = providers_of(OIDC, SAML)
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
SOCIALACCOUNT_EMAIL_REQUIRED = False
SOCIALACCOUNT_EMAIL_VERIFICATION = "none"  # that is the directory's to know
SOCIALACCOUNT_LOGIN_ON_GET = True  # a form may lead nowhere else (form-action); the state is bound to the session

EMAIL_HOST = env_str("EMAIL_HOST")
EMAIL_BACKEND = f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"
EMAIL_PORT = env_int("EMAIL_PORT", 587)
EMAIL_HOST_USER = env_str("EMAIL_USER")
EMAIL_HOST_PASSWORD = env_secret("EMAIL_PASSWORD")
EMAIL_USE_SSL = EMAIL_PORT == 465
EMAIL_USE_TLS = not EMAIL_USE_SSL and env_bool("EMAIL_TLS", True)
EMAIL_TIMEOUT = 20
PUBLIC_ADDRESS = env_str("PUBLIC_ADDRESS").rstrip("/")  # what people type to come here: the links of letters need it
DEFAULT_FROM_EMAIL = SERVER_EMAIL = env_str("EMAIL_FROM", "knowledgetree@localhost")

LANGUAGE_CODE = "pl"
LANGUAGES = [("pl", "Polski"), ("en", "English")]
LOCALE_PATHS = [BASE_DIR / "knowledgetree/locale", BASE_DIR / "knowledgetree/locale_unfold"]  # unfold ships no Polish
TIME_ZONE = env_str("TIME_ZONE", "Europe/Warsaw")
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns of a folder that is not there
STATICFILES_DIRS = [BASE_DIR / "knowledgetree" / "static"]
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
S3 = s3_environment()  # None: originals lie in MEDIA_ROOT
# Where backups go: a folder of another disk, or s3://bucket/prefix. Set, a night makes one by itself.
BACKUP_LOCATION = env_str("BACKUP_LOCATION")
BACKUPS_KEPT = env_int("BACKUPS_KEPT", 14)
STORAGES = storages_of(S3, backups=BACKUP_LOCATION or str(VAR_DIR / "backups"))
MEDIA_ROOT = VAR_DIR / "media"
MEDIA_URL = "media/"
FILE_UPLOAD_PERMISSIONS = 0o640
DATA_UPLOAD_MAX_NUMBER_FILES = 500

SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env_bool("SECURE_COOKIES", False)
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if env_bool("BEHIND_TLS_PROXY") else None

# A task outlives neither `timeout` nor, then, `retry`; retries are ours (`ingestion.models.jobs`), so a failed
# task is acknowledged and never delivered again by the queue.
Q_CLUSTER = {
    "name": "knowledgetree",
    **broker_of(REDIS_URL),
    "workers": env_int("WORKERS", 2),
    "timeout": 1800,
    "retry": 2400,
    "max_attempts": 1,
    "ack_failures": True,
    "poll": 0.5,
    "catch_up": False,
    "save_limit": 500,
    "label": _("Task queue"),
}

# django-auditlog finds what changed in a configuration; the table is ours, so its own is not made.
AUDITLOG_LOGENTRY_MODEL = "knowledgetree.AuditEntry"
AUDITLOG_INCLUDE_TRACKING_MODELS = TRACKED
MIGRATION_MODULES = {"auditlog": None}

LOGIN_RATE = env_str("LOGIN_RATE", "10/min")  # attempts by address and user name
LOGIN_FAILURE_RATE = env_str("LOGIN_FAILURE_RATE", "30/hour")  # failed ones by address, whatever the name
# Who may read /metrics: whoever has the token, or comes from one of the networks (CIDR). Neither: it is not there.
METRICS_TOKEN = env_secret("METRICS_TOKEN")
METRICS_NETWORKS = env_list("METRICS_NETWORKS")
# With which Open WebUI signs who asks (its FORWARD_USER_INFO_HEADER_JWT_SECRET). Empty: nobody is acted for.
OPENWEBUI_JWT_SECRET = env_secret("OPENWEBUI_JWT_SECRET")
RAG = {
    "embedder": env_str("EMBEDDER", "word_vectors"),
    "llm": {
        **llm_environment(),
        "mask_personal_data": env_bool("LLM_MASK_PERSONAL_DATA", default=True),
        # US dollars for a million tokens, such as {"a-model": {"input": …, "output": …, "cache_read": …,
        # "cache_write": …}}. Prices change: none are shipped, and what has no price is counted as 0.
        "prices": {},
    },
    "ingestion": {
        "max_bytes": env_int("MAX_UPLOAD_BYTES", 50_000_000),
        "stale_seconds": env_int("JOB_STALE_SECONDS", 60),
        "parse_seconds": env_int("PARSE_SECONDS", 120),
        "parse_memory_mb": env_int("PARSE_MEMORY_MB", 1024),
        "collection_concurrency": env_int("COLLECTION_CONCURRENCY", 0),
        "folders": env_list("SOURCE_FOLDERS"),
        "feed_keys": feed_keys(),
        "source_secrets": source_secrets(),
        "second_pdf_extractor": env_str("SECOND_PDF_EXTRACTOR"),
        "second_extraction_in": env_list("SECOND_EXTRACTION_IN"),
    },
    "reembedding": {
        "rest": env_int("REEMBEDDING_REST", 40) / 100,
    },
    "search_engine": {
        "backend": env_str("SEARCH_ENGINE", "postgres"),
        "url": env_str("QDRANT_URL"),
        "api_key": env_secret("QDRANT_API_KEY"),
        "prefix": env_str("QDRANT_PREFIX", "knowledgetree"),
        "seconds": env_int("QDRANT_MILLISECONDS", 2000) / 1000,
        "shards": env_int("QDRANT_SHARDS", 1),
        "replicas": env_int("QDRANT_REPLICAS", 1),
        "on_disk": env_bool("QDRANT_ON_DISK"),
    },
    "correction": {"web_search": env_str("WEB_SEARCH", "none")},
    "fetching": {
        "allowed_networks": env_list("FETCH_ALLOWED_NETWORKS"),
        "ports": [int(port) for port in env_list("FETCH_PORTS", "80,443")],
    },
    "audit": {
        "days": env_int("AUDIT_DAYS", 365),
        "addresses": env_str("AUDIT_ADDRESSES", "shortened"),
        "questions": env_str("AUDIT_QUESTIONS", "masked"),
    },
    "personal_data": {"exempt": env_list("PERSONAL_DATA_EXEMPT")},
    "webhooks": {
        "allowed_networks": env_list("WEBHOOK_ALLOWED_NETWORKS"),
        "ports": [int(port) for port in env_list("WEBHOOK_PORTS", "80,443")],
    },
    "components": component_settings.COMPONENTS,
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"json": {"()": "knowledgetree.logs.JSONFormatter"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "json"}},
    "root": {"handlers": ["stderr"], "level": env_str("LOG_LEVEL", "WARNING")},
    "loggers": {"knowledgetree": {"level": env_str("LOG_LEVEL", "INFO"), "propagate": True}},
}
