"""The Chat Completions API, as OpenAI, Ollama, vLLM, llama.cpp and most gateways speak it."""
