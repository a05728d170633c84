"""Whether the Redis server answers."""

from importlib.util import find_spec

from django.conf import settings
from django.utils.translation import gettext as _

from knowledgetree.readiness import Check
from knowledgetree.redis_server.connection import RedisAway, redis_server


def redis_answers() -> Check:
    """Without it nothing is lost; several processes then count in the database and keep nothing for each other."""
    if find_spec("redis") is None:
        detail = _("REDIS_URL is set, but the client is not installed")
        remedy = _("Install: pip install 'knowledgetree[redis]'")
        return Check(name="redis", subject="Redis", well=False, detail=detail, remedy=remedy, public=True)
    try:
        told = redis_server(settings.REDIS_URL).ask(lambda client: client.info("server"))
    except RedisAway as error:
        return Check(
            name="redis",
            subject="Redis",
            well=False,
            detail=str(error),
            remedy=_("Start it, or mend REDIS_URL. Meanwhile the database counts and queues; nothing is lost."),
        )
    return Check(name="redis", subject="Redis", well=True, detail=str(dict(told)["redis_version"]))
