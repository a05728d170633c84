"""Documents that are near another one."""
