"""A new release put to work on an installation: looked at, backed up, migrated, and its index brought up to date."""
