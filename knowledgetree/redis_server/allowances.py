"""Allowances on the Redis server: the same arithmetic as in the database, in one step there."""

from knowledgetree.http.allowances import Spending
from knowledgetree.redis_server.connection import RedisServer

# Microseconds, by the server's clock; up to 2^53 they are exact.
_SPEND = """
local time = redis.call('TIME')
local now, each, whole = time[1] * 1000000 + time[2], tonumber(ARGV[1]), tonumber(ARGV[2])
local spent = math.max(tonumber(redis.call('GET', KEYS[1]) or 0), now) + each
if spent > now + whole then return math.ceil(spent - now - whole) end
redis.call('SET', KEYS[1], string.format('%.0f', spent), 'PX', math.ceil((spent - now) / 1000))
return 0
"""
_GIVE_BACK = """
local spent = redis.call('GET', KEYS[1])
if spent then redis.call('SET', KEYS[1], string.format('%.0f', spent - ARGV[1]), 'KEEPTTL') end
"""


class RedisAllowances:
    """Both methods raise RedisAway."""

    def __init__(self, server: RedisServer) -> None:
        self._server = server

    def claim(self, spending: Spending) -> float:
        asked = self._server.ask(
            lambda client: client.eval(
                _SPEND, 1, _key(spending), str(_microseconds(spending.each)), str(_microseconds(spending.whole))
            )
        )
        return int(asked) / 1e6

    def give_back(self, spending: Spending) -> None:
        self._server.ask(lambda client: client.eval(_GIVE_BACK, 1, _key(spending), str(_microseconds(spending.each))))


def _key(spending: Spending) -> str:
    return f"knowledgetree:allowance:{spending.key}"


def _microseconds(seconds: float) -> int:
    return round(seconds * 1e6)
