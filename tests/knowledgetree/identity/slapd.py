"""A directory of one's own: OpenLDAP's server in a folder, on a port that nobody has."""

import shutil
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from knowledgetree.identity.environment import LDAPSettings

SUFFIX = "dc=urzad,dc=example"
_ADMINISTRATOR, _PASSWORD = f"cn=admin,{SUFFIX}", "haslo-katalogu"
_SCHEMAS = Path("/etc/ldap/schema")
_MODULES = Path("/usr/lib/ldap")

_CONFIGURATION = """
include {schemas}/core.schema
include {schemas}/cosine.schema
include {schemas}/inetorgperson.schema
modulepath {modules}
moduleload back_mdb
pidfile {folder}/pid
database mdb
suffix "{suffix}"
rootdn "{administrator}"
rootpw {password}
directory {folder}/data
maxsize 16777216
access to attrs=userPassword by anonymous auth by * none
access to * by dn="{administrator}" read
"""

_PEOPLE = """
dn: {suffix}
objectClass: dcObject
objectClass: organization
o: Urzad
dc: urzad

dn: ou=ludzie,{suffix}
objectClass: organizationalUnit
ou: ludzie

dn: ou=grupy,{suffix}
objectClass: organizationalUnit
ou: grupy

dn: uid=anna,ou=ludzie,{suffix}
objectClass: inetOrgPerson
uid: anna
cn: Anna Nowak
givenName: Anna
sn: Nowak
mail: anna@urzad.example
userPassword: anny-haslo

dn: uid=jan,ou=ludzie,{suffix}
objectClass: inetOrgPerson
uid: jan
cn: Jan
sn: Kowal
userPassword: jana-haslo

dn: cn=Kadry,ou=grupy,{suffix}
objectClass: groupOfNames
cn: Kadry
member: uid=anna,ou=ludzie,{suffix}
member: cn=nikt

"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slapd:
    port: int

    @property
    def options(self) -> LDAPSettings:
        return LDAPSettings(
            uri=f"ldap://127.0.0.1:{self.port}",
            start_tls=False,
            ca_file="",
            bind_dn=_ADMINISTRATOR,
            bind_password=_PASSWORD,
            user_base=f"ou=ludzie,{SUFFIX}",
            user_filter="(|(uid=%(user)s)(mail=%(user)s))",
            name_attribute="uid",
            group_base=f"ou=grupy,{SUFFIX}",
            group_kind="groupOfNames",
            seconds=5,
        )

    def change_members(self, *uids: str, group: str = "Kadry") -> None:
        """The group has these members from now on."""
        import ldap

        members = [f"uid={uid},ou=ludzie,{SUFFIX}".encode() for uid in uids] + [b"cn=nikt"]
        self._administer().modify_s(f"cn={group},ou=grupy,{SUFFIX}", [(ldap.MOD_REPLACE, "member", members)])

    def remove(self, uid: str) -> None:
        self._administer().delete_s(f"uid={uid},ou=ludzie,{SUFFIX}")

    def enter(self, uid: str, password: str) -> None:
        entry = [("objectClass", [b"inetOrgPerson"]), ("uid", [uid.encode()]), ("cn", [uid.encode()])]
        entry += [("sn", [uid.encode()]), ("userPassword", [password.encode()])]
        self._administer().add_s(f"uid={uid},ou=ludzie,{SUFFIX}", entry)

    def _administer(self) -> "ldap.ldapobject.SimpleLDAPObject":  # noqa: F821
        import ldap

        connection = ldap.initialize(self.options.uri)
        connection.simple_bind_s(_ADMINISTRATOR, _PASSWORD)
        return connection


@contextmanager
def running_slapd(folder: Path) -> Iterator[Slapd]:
    """Skips the test where there is none."""
    program = shutil.which("slapd") or shutil.which("slapd", path="/usr/sbin")
    loader = shutil.which("slapadd") or shutil.which("slapadd", path="/usr/sbin")
    pytest.importorskip("django_auth_ldap", reason="django-auth-ldap is not installed")
    if program is None or loader is None:
        pytest.skip("there is no slapd on this machine")
    (folder / "data").mkdir()
    told = {"folder": folder, "schemas": _SCHEMAS, "modules": _MODULES, "suffix": SUFFIX}
    configuration = folder / "slapd.conf"
    configuration.write_text(_CONFIGURATION.format(**told, administrator=_ADMINISTRATOR, password=_PASSWORD))
    people = _PEOPLE.format(suffix=SUFFIX)
    subprocess.run([loader, "-f", configuration], input=people, text=True, check=True, capture_output=True)
    port = _free_port()
    command = [program, "-f", configuration, "-h", f"ldap://127.0.0.1:{port}/", "-d", "0"]  # -d: it stays our child
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            _wait_until_open(port, process)
            yield Slapd(port=port)
        finally:
            process.terminate()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_until_open(port: int, process: subprocess.Popen[bytes]) -> None:
    while process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
    raise AssertionError("slapd ended by itself")
