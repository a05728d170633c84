"""Which groups a provider says that somebody is in, read from what it told of them."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from knowledgetree.identity.errors import ProviderFailed


def groups_of_claims(told: Mapping[str, Any], claim: str) -> list[str]:
    """The values of `claim`, dotted where it lies deeper, in what the provider's endpoint told or its token.

    Raises ProviderFailed where the provider had too many to name: none would mean that all were taken away.
    """
    for claims in (told.get("userinfo"), told.get("id_token")):
        if not isinstance(claims, Mapping):
            continue
        if claim in (claims.get("_claim_names") or ()):  # Entra ID, from 200 groups on
            raise ProviderFailed(
                _("The directory has too many groups to name them."),
                remedy=_("The administrator can have it name those alone that are assigned to this application."),
            )
        if (found := _value_at(claims, claim)) is not None:
            return _texts(found)
    return []


def groups_of_attributes(told: Mapping[str, Any], attribute: str) -> list[str]:
    """The values of a SAML attribute."""
    return _texts(told.get(attribute))


def _value_at(claims: Mapping[str, Any], path: str) -> Any:
    if path in claims:  # some names are addresses, with dots of their own
        return claims[path]
    value: Any = claims
    for name in path.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _texts(value: Any) -> list[str]:
    return [one for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
