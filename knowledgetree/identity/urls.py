"""Signing in and out, by whatever way; second factors; the language switch. No namespace: Django and allauth look for
these names. Of allauth's pages only those that are wanted: none that joins accounts or changes addresses.
"""

from allauth.account import views as account
from allauth.mfa.base import views as second_factor
from allauth.mfa.recovery_codes import views as recovery_codes
from allauth.mfa.totp import views as totp
from django.apps import apps
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import LogoutView
from django.urls import include, path, re_path, reverse_lazy
from django.views.decorators.cache import never_cache
from django.views.generic import RedirectView
from django.views.i18n import set_language

from knowledgetree.identity import provider_views, views

_login = views.LoginPage.as_view()
_logout = LogoutView.as_view()

_passwords = [
    path("change/", login_required(views.OwnPasswordPage.as_view()), name="account_change_password"),
    path("reset/", views.ResetPage.as_view(), name="account_reset_password"),
    path("reset/done/", account.password_reset_done, name="account_reset_password_done"),
    re_path(
        r"^reset/key/(?P<uidb36>[0-9A-Za-z]+)-(?P<key>.+)/$",
        never_cache(account.password_reset_from_key),
        name="account_reset_password_from_key",
    ),
    path("reset/key/done/", account.password_reset_from_key_done, name="account_reset_password_from_key_done"),
]

_second_factor = [
    path("", RedirectView.as_view(url=reverse_lazy("chat:account")), name="mfa_index"),
    path("authenticate/", second_factor.authenticate, name="mfa_authenticate"),
    path("reauthenticate/", never_cache(second_factor.reauthenticate), name="mfa_reauthenticate"),
    path("app/", never_cache(totp.activate_totp), name="mfa_activate_totp"),
    path("app/remove/", totp.deactivate_totp, name="mfa_deactivate_totp"),
    path("codes/", never_cache(recovery_codes.view_recovery_codes), name="mfa_view_recovery_codes"),
    path("codes/new/", recovery_codes.generate_recovery_codes, name="mfa_generate_recovery_codes"),
]

_registration = [
    path("", account.signup, name="account_signup"),
    path("sent/", account.email_verification_sent, name="account_email_verification_sent"),
    re_path(r"^confirm/(?P<key>[-:\w]+)/$", account.confirm_email, name="account_confirm_email"),
]

_providers = [
    path("<slug:provider_id>/login/", provider_views.login, name="openid_connect_login"),
    path("<slug:provider_id>/login/callback/", provider_views.callback, name="openid_connect_callback"),
]

urlpatterns = [
    path("login/", _login, name="account_login"),
    path("login/", _login, name="login"),
    path("logout/", _logout, name="account_logout"),
    path("logout/", _logout, name="logout"),
    path("i18n/", set_language, name="set_language"),
    path("account/off/", account.account_inactive, name="account_inactive"),
    path("account/again/", never_cache(account.reauthenticate), name="account_reauthenticate"),
    path("account/password/", include(_passwords)),
    path("account/second-factor/", include(_second_factor)),
    path("account/new/", include(_registration)),
    path("account/", include(_providers)),
]

if apps.is_installed("allauth.socialaccount.providers.saml"):
    from allauth.socialaccount.providers.saml.views import finish_acs  # an extra

    _finish = provider_views.answering_always(finish_acs)
    urlpatterns += [
        path("account/saml/<slug:organization_slug>/acs/finish/", _finish, name="saml_finish_acs"),
        path("account/", include("allauth.socialaccount.providers.saml.urls")),
    ]
