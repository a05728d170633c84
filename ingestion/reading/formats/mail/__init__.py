"""E-mails with their attachments."""
