"""The reader's own account: password, second factor, sessions, keys."""
