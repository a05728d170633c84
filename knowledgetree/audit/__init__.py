"""Who read, asked, downloaded, exported or changed what: a log that only grows. See docs/adr/0043-audit-log.md.

The settings read `configuration`, so nothing is imported here.
"""
