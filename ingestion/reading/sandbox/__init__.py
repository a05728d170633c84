"""Files of strangers are read in a process of their own, which may fail without taking the worker along."""

from ingestion.reading.sandbox.limits import ParsingLimits
from ingestion.reading.sandbox.parser import parse
from ingestion.reading.sandbox.pictures import marked_page, painted_page

__all__ = ["ParsingLimits", "marked_page", "painted_page", "parse"]
