"""What happens here and others want to know: one list of events, told by webhooks and by letters to editors."""
