"""Requests before and after the views: one thread each, bounded bodies and rates, headers, the page of an outage."""
