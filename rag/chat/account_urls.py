"""Signing in and out, the language switch. No namespace: Django looks for `login` by name."""

from django.contrib.auth import views as auth
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.i18n import set_language

from rag.chat.login import LoginPage

urlpatterns = [
    path("login/", never_cache(LoginPage.as_view()), name="login"),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("i18n/", set_language, name="set_language"),
]
