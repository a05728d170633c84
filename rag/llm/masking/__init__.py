"""What language models are not told: personal data are replaced before a request and put back into the reply."""
