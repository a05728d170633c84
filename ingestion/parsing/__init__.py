"""Files of strangers are read in a process of their own, which may fail without taking the worker along."""

from ingestion.parsing.limits import ParsingLimits
from ingestion.parsing.parser import parse
from ingestion.parsing.pictures import marked_page, painted_page

__all__ = ["ParsingLimits", "marked_page", "painted_page", "parse"]
