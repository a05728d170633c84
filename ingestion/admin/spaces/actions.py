"""What an administrator does with a space: each verb with its words and the service that does it."""

from django.utils.translation import gettext_lazy as _

from ingestion.admin.confirming import Verb
from ingestion.admin.spaces.forms import ActivationForm
from ingestion.services import spaces

VERBS = {
    "pause": Verb(
        label=_("Pause"),
        consequence=_("The filling stops after the current batch. What is computed stays."),
        done=_("Paused."),
        act=spaces.pause_space,
    ),
    "resume": Verb(
        label=_("Resume"),
        consequence=_("The filling goes on where it stopped, with what came meanwhile."),
        done=_("Resumed."),
        act=spaces.resume_space,
    ),
    "activate": Verb(
        label=_("Activate"),
        consequence=_("What is missing is computed first; then searches change over at once, without a break."),
        done=_("It is activated as soon as it is full."),
        act=spaces.activate_space,
        form=ActivationForm,
    ),
    "retire": Verb(
        label=_("Give up"),
        consequence=_("It is not filled any more. Its vectors stay until it is dropped."),
        done=_("Given up."),
        act=spaces.retire_space,
    ),
    "drop": Verb(
        label=_("Drop"),
        consequence=_("Its vectors and its index are deleted. This cannot be undone; they can be computed anew."),
        done=_("Dropped."),
        act=spaces.drop_space,
    ),
}
