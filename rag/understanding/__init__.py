"""What a question asks for: its words, phrases, exclusions and corrections."""
