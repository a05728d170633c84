"""The OpenAPI description knows keys, and says of each operation which scope one needs."""

from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema

from ingestion.api.authentication import SCHEME, KeyAuthentication
from ingestion.api.permissions import scope_of
from ingestion.models.api_keys import ANY_KEY, PREFIX


class ScopedSchema(AutoSchema):
    def get_operation(self, *arguments: Any) -> dict[str, Any] | None:
        operation: dict[str, Any] | None = super().get_operation(*arguments)
        if operation is not None:
            told = [operation.get("description", ""), _said(scope_of(self.view, self.method))]
            operation["description"] = "\n\n".join(filter(None, told))
        return operation


def _said(scope: str | None) -> str:
    if scope is None:
        return "Not open to API keys."
    return "API key: any scope." if scope == ANY_KEY else f"API key: scope `{scope}`."


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    target_class = KeyAuthentication
    name = "apiKey"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": SCHEME,
            "bearerFormat": f"{PREFIX}…",
            "description": "A key made in the administration. Each operation names the scope that it needs.",
        }
