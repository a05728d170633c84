"""Who may read a file by its security descriptor ([MS-DTYP] 2.4.6)."""

import struct
from functools import lru_cache
from typing import Any, Final

from smbprotocol.security_descriptor import AceFlags, AceType, SMB2CreateSDBuffer

from ingestion.sources.types import Principal, Principals

_READS: Final = 0x1 | 0x1000_0000 | 0x8000_0000  # the data of a file, everything, reading
_DENIES: Final = {
    AceType.ACCESS_DENIED_ACE_TYPE, AceType.ACCESS_DENIED_OBJECT_ACE_TYPE,
    AceType.ACCESS_DENIED_CALLBACK_ACE_TYPE, AceType.ACCESS_DENIED_CALLBACK_OBJECT_ACE_TYPE,
}  # fmt: skip
_EVERYBODY: Final = {"S-1-1-0", "S-1-5-11"}  # everyone, and everyone who is signed in
_NO_PERSON: Final = {"S-1-5-18"}  # the machine itself


@lru_cache(maxsize=10_000)
def readers_of(descriptor: bytes) -> Principals | None:
    """The groups and accounts, all by their SIDs, that it lets read; None: everybody whom the place lets in.

    Of its entries those before the first that denies reading to anybody: whom one behind it lets read may be in the
    group that this one shuts out. Those with a condition let nobody read. Raises what smbprotocol raises.
    """
    packet = SMB2CreateSDBuffer()
    packet.unpack(descriptor)
    if not (start := packet["offset_dacl"].get_value()):
        return None
    (size,) = struct.unpack_from("<H", descriptor, start + 2)
    if start + size > len(descriptor):
        raise ValueError("cut off")
    found: set[str] = set()
    for ace in packet.get_dacl()["aces"].get_value():
        kind, flags, mask = _head(ace)
        if flags & AceFlags.INHERIT_ONLY_ACE or not mask & _READS:
            continue
        if kind in _DENIES:
            break
        if kind == AceType.ACCESS_ALLOWED_ACE_TYPE:
            found.add(str(ace["sid"].get_value()))
    if found & _EVERYBODY:
        return None
    return frozenset(Principal(kind="group", name=sid) for sid in found - _NO_PERSON)


def _head(ace: Any) -> tuple[int, int, int]:
    """(type, flags, rights)."""
    kind, flags, _size, mask = struct.unpack_from("<BBHL", ace if isinstance(ace, bytes) else ace.pack())
    return kind, flags, mask
