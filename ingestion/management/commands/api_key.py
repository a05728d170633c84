"""`manage.py api_key`: keys of programs, for installations that are set up by scripts."""

from argparse import ArgumentParser
from datetime import timedelta
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from ingestion.models import ApiKey, Collection
from ingestion.services.api_keys import cancel_key, create_key, replace_key
from knowledgetree import console


class Command(console.Command):
    help = gettext_noop("Make, list, replace and revoke API keys. A new key is printed once and stored nowhere.")
    audited = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        verbs = parser.add_subparsers(dest="verb", required=True)
        make = verbs.add_parser("make", help=_("a new key"))
        make.add_argument("name", help=_("which program uses it"))
        make.add_argument("--user", required=True, help=_("the account that it acts for"))
        make.add_argument("--scope", nargs="+", required=True, choices=ApiKey.Scope.values, help=_("what it may do"))
        make.add_argument("--collection", nargs="*", default=[], help=_("identifiers; none: all of the account"))
        make.add_argument("--days", type=int, help=_("how long it is valid; without: until it is revoked"))
        make.add_argument("--rate", default="", help=_("the most requests, such as 60/min"))
        verbs.add_parser("list", help=_("the keys and their state"))
        for verb, told in (("replace", _("a new key; the old one goes on for 7 days")), ("revoke", _("for good"))):
            verbs.add_parser(verb, help=told).add_argument("beginning", help=_("the beginning of the key, as listed"))

    def handle(self, *, verb: str, **options: Any) -> None:
        {"make": self._make, "list": self._list, "replace": self._replace, "revoke": self._revoke}[verb](options)

    def _make(self, options: dict[str, Any]) -> None:
        owner = User.objects.filter(username=options["user"], is_active=True).first()
        if owner is None:
            raise CommandError(_("There is no account “%(name)s” that is in use.") % {"name": options["user"]})
        collections = list(Collection.objects.filter(slug__in=options["collection"]))
        if missing := sorted(set(options["collection"]) - {collection.slug for collection in collections}):
            raise CommandError(_("There is no collection “%(name)s”.") % {"name": missing[0]})
        expires = timezone.now() + timedelta(days=options["days"]) if options["days"] else None
        try:
            ApiKey._meta.get_field("rate").run_validators(options["rate"])
        except ValidationError as error:
            raise CommandError(error.messages[0]) from error
        _key, secret = create_key(
            name=options["name"],
            owner=owner,
            scopes=options["scope"],
            collections=collections,
            rate=options["rate"],
            expires=expires,
        )
        self._tell(secret)

    def _list(self, options: dict[str, Any]) -> None:
        for key in ApiKey.objects.select_related("owner"):
            state = _("valid") if key.is_valid() else _("over")
            used = timezone.localtime(key.last_used).strftime("%Y-%m-%d %H:%M") if key.last_used else "–"
            self.say(f"{key.prefix}…  {key.name}  {key.owner.username}  {', '.join(key.scopes)}  {state}  {used}")
        if not ApiKey.objects.exists():
            self.say(_("There are no API keys yet: knowledgetree api_key make NAME --user USER --scope search ask"))

    def _replace(self, options: dict[str, Any]) -> None:
        _key, secret = replace_key(self._key(options["beginning"]))
        self._tell(secret)

    def _revoke(self, options: dict[str, Any]) -> None:
        key = self._key(options["beginning"])
        cancel_key(key)
        self.say(_("The key %(key)s is revoked.") % {"key": key})

    def _tell(self, secret: str) -> None:
        self.stderr.write(_("Copy it now; it cannot be shown again:"))  # a script's $(…) takes the key alone
        self.say(secret)

    def _key(self, beginning: str) -> ApiKey:
        found = [key for key in ApiKey.objects.filter(prefix=beginning.rstrip("…")) if key.is_valid()]
        if len(found) != 1:
            raise CommandError(_("No valid key begins so: %(beginning)s") % {"beginning": beginning})
        return found[0]
