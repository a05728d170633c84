"""The settings in force as a file for systemd, which a shell reads too."""

import os
from collections.abc import Mapping
from pathlib import Path

from knowledgetree.env import ASKED

_OF_OTHERS = ("HF_HOME", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "SSL_CERT_FILE", "TESSDATA_PREFIX")
"""Variables of libraries, which the program does not ask for itself."""

_SPECIAL = str.maketrans({mark: f"\\{mark}" for mark in '"\\`$'})


def settings_in_force(var_dir: Path, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
    """What of `environment` the program asked for, VAR_DIR in any case: a service starts in a folder of its own."""
    tracing = {name for name in environment if name.startswith("OTEL_")}
    given = {name: environment[name] for name in sorted({*ASKED, *_OF_OTHERS, *tracing}) if environment.get(name)}
    return {**given, "VAR_DIR": str(var_dir)}


def file_text(values: Mapping[str, str]) -> str:
    return "".join(f'{name}="{value.translate(_SPECIAL)}"\n' for name, value in values.items())
