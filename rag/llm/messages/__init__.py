"""Anthropic's Messages API, as Claude and several gateways and local servers speak it."""
