"""SharePoint and OneDrive of Microsoft 365."""

from typing import Final

from django.utils.translation import gettext_lazy as _

from ingestion.sources.connectors.declaration import ConnectorKind, Setting

KIND: Final = ConnectorKind(
    connector="ingestion.sources.connectors.microsoft365.connector.Microsoft365Connector",
    packages=("httpx", "msal"),
    schemes={"https": 443},
    example="https://firma.sharepoint.com/sites/kadry",
    settings=(
        Setting(name="tenant", label=_("tenant"), help=_("Of Microsoft 365: its identifier or domain."), required=True),
        Setting(name="client", label=_("application (client) ID"), required=True),
        Setting(
            name="login",
            label=_("sign-in server"),
            help=_("Only of a national cloud: such as https://login.microsoftonline.us."),
        ),
        Setting(
            name="libraries",
            about="content",
            label=_("libraries"),
            help=_("Of Microsoft 365: their names, separated by commas, such as Documents. Empty: all of the site."),
        ),
        Setting(
            name="asking",
            about="documents",
            label=_("who may read is asked"),
            choices=(
                ("", _("of every file, each time")),
                ("changed", _("of what changed; of every file once a day")),
            ),
            help=_("Of Microsoft 365: a request asks about twenty files, so that tens of thousands take long."),
        ),
    ),
    secret=_("secret of the application"),
    secret_help=_("Of Microsoft 365 a client secret, or the private key with its certificate (PEM)."),
    server_setting="login",
    usual_server="https://login.microsoftonline.com",
    account_setting="client",
    tells_rights=True,
)
