"""Directories and mail from the environment: what is set there, and what of it cannot work, before anybody signs in."""

from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from knowledgetree.env import env_bool, env_int, env_secret, env_str

GROUP_KINDS = ("groupOfNames", "groupOfUniqueNames", "posixGroup", "activeDirectory")
"""Kinds of groups that an LDAP directory has; of Active Directory those in groups count too."""

OIDC_ID, SAML_ID = "oidc", "saml"
"""How the providers are called in addresses, such as /account/oidc/login/callback/."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OIDCSettings:
    """An OpenID Connect provider. `groups_claim` may be dotted, as Keycloak's `realm_access.roles`.

    `create_accounts`: whoever the provider lets in gets an account here. `link_by_email`: an address that the provider
    has verified opens the account here that has it.
    """

    issuer: str
    client_id: str
    client_secret: str = field(repr=False)
    name: str
    scopes: tuple[str, ...]
    groups_claim: str
    create_accounts: bool
    link_by_email: bool

    def __post_init__(self) -> None:
        _require(OIDC_CLIENT_ID=self.client_id, OIDC_CLIENT_SECRET=self.client_secret)
        _require_web_address("OIDC_ISSUER", self.issuer)


@dataclass(frozen=True, slots=True, kw_only=True)
class SAMLSettings:
    """A SAML provider, described by its metadata."""

    metadata_url: str
    entity_id: str
    name: str
    groups_attribute: str
    create_accounts: bool

    def __post_init__(self) -> None:
        _require(SAML_ENTITY_ID=self.entity_id)
        _require_web_address("SAML_METADATA_URL", self.metadata_url)


@dataclass(frozen=True, slots=True, kw_only=True)
class LDAPSettings:
    """An LDAP directory. `user_filter` has `%(user)s` where the name stands that somebody signs in with;
    `name_attribute` has the name that their account here gets.
    """

    uri: str
    start_tls: bool
    ca_file: str
    bind_dn: str
    bind_password: str = field(repr=False)
    user_base: str
    user_filter: str
    name_attribute: str
    group_base: str
    group_kind: str
    seconds: int

    def __post_init__(self) -> None:
        _require(LDAP_USER_BASE=self.user_base)
        address = urlsplit(self.uri)
        if address.scheme not in ("ldap", "ldaps", "ldapi"):
            raise ImproperlyConfigured(f"LDAP_URI={self.uri!r} is no address such as ldaps://ldap.example.pl.")
        if address.scheme == "ldap" and not self.start_tls and not _is_this_machine(address.hostname or ""):
            raise ImproperlyConfigured(
                f"LDAP_URI={self.uri!r}: passwords would go unencrypted; write ldaps:// or set LDAP_START_TLS=1."
            )
        if "%(user)s" not in self.user_filter:
            raise ImproperlyConfigured(f"LDAP_USER_FILTER={self.user_filter!r} lacks %(user)s; write (uid=%(user)s).")
        if self.group_kind not in GROUP_KINDS:
            raise ImproperlyConfigured(f"LDAP_GROUP_KIND={self.group_kind!r} is not one of {', '.join(GROUP_KINDS)}.")


def oidc_environment() -> OIDCSettings | None:
    """None where no provider is named. Raises ImproperlyConfigured."""
    if not (issuer := env_str("OIDC_ISSUER").rstrip("/")):
        return None
    return OIDCSettings(
        issuer=issuer,
        client_id=env_str("OIDC_CLIENT_ID"),
        client_secret=env_secret("OIDC_CLIENT_SECRET"),
        name=env_str("OIDC_NAME"),
        scopes=tuple(env_str("OIDC_SCOPES", "openid profile email").split()),
        groups_claim=env_str("OIDC_GROUPS_CLAIM", "groups"),
        create_accounts=env_bool("OIDC_CREATE_ACCOUNTS", True),
        link_by_email=env_bool("OIDC_LINK_BY_EMAIL", False),
    )


def saml_environment() -> SAMLSettings | None:
    """None where no provider is named. Raises ImproperlyConfigured."""
    if not (metadata_url := env_str("SAML_METADATA_URL")):
        return None
    return SAMLSettings(
        metadata_url=metadata_url,
        entity_id=env_str("SAML_ENTITY_ID"),
        name=env_str("SAML_NAME"),
        groups_attribute=env_str("SAML_GROUPS_ATTRIBUTE", "groups"),
        create_accounts=env_bool("SAML_CREATE_ACCOUNTS", True),
    )


def ldap_environment() -> LDAPSettings | None:
    """None where no directory is named. Raises ImproperlyConfigured."""
    if not (uri := env_str("LDAP_URI")):
        return None
    return LDAPSettings(
        uri=uri,
        start_tls=env_bool("LDAP_START_TLS", False),
        ca_file=env_str("LDAP_CA_FILE"),
        bind_dn=env_str("LDAP_BIND_DN"),
        bind_password=env_secret("LDAP_BIND_PASSWORD"),
        user_base=env_str("LDAP_USER_BASE"),
        user_filter=env_str("LDAP_USER_FILTER", "(uid=%(user)s)"),
        name_attribute=env_str("LDAP_NAME_ATTRIBUTE", "uid"),
        group_base=env_str("LDAP_GROUP_BASE"),
        group_kind=env_str("LDAP_GROUP_KIND", "groupOfNames"),
        seconds=env_int("LDAP_SECONDS", 5),
    )


def providers_of(oidc: OIDCSettings | None, saml: SAMLSettings | None) -> dict[str, Any]:
    """What django-allauth has to know of them (SOCIALACCOUNT_PROVIDERS)."""
    providers: dict[str, Any] = {}
    if oidc:
        app = {
            "provider_id": OIDC_ID,
            "name": oidc.name or "OpenID Connect",
            "client_id": oidc.client_id,
            "secret": oidc.client_secret,
            "settings": {"server_url": oidc.issuer, "email_authentication": oidc.link_by_email},
        }
        providers["openid_connect"] = {"APPS": [app], "SCOPE": [*oidc.scopes], "OAUTH_PKCE_ENABLED": True}
    if saml:
        idp = {"entity_id": saml.entity_id, "metadata_url": saml.metadata_url}
        # An assertion says who somebody is: one that nobody signed says nothing.
        settings = {"idp": idp, "advanced": {"want_assertion_signed": True, "reject_idp_initiated_sso": True}}
        app = {"provider_id": SAML_ID, "name": saml.name or "SAML", "client_id": SAML_ID, "settings": settings}
        providers["saml"] = {"APPS": [app]}
    return providers


def _require(**variables: str) -> None:
    if missing := [name for name, value in variables.items() if not value]:
        raise ImproperlyConfigured(f"{', '.join(missing)} is not set; without it nobody signs in by the directory.")


def _require_web_address(name: str, address: str) -> None:
    """Who listens on the way to an unencrypted provider can be anybody here."""
    parts = urlsplit(address)
    if parts.scheme == "https" and parts.hostname:
        return
    if parts.scheme != "http" or not _is_this_machine(parts.hostname or ""):
        raise ImproperlyConfigured(f"{name}={address!r} is no address that begins with https://.")


def _is_this_machine(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
