"""The processes of one site: what dies is started again, and nothing outlives the one that started it."""
