"""Signing in: passwords, directories (OpenID Connect, LDAP, SAML), second factors, and what a directory gives."""
