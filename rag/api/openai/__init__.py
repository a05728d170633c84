"""OpenAI's Chat Completions API over assistants: the citations of an answer keep their quotes."""
