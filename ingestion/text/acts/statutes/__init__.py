"""The units of Polish acts of law: how they are marked, numbered and cited."""
