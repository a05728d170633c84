"""Readers of the places that documents come from. They know no database: what to do with the outcomes is for others."""

from ingestion.sources.feeds.feed import FeedFields, FeedOptions, read_feed
from ingestion.sources.folder import FolderOptions, count_files, read_folder
from ingestion.sources.types import FetchedDocument, FetchFailure, Gone, Known, Outcome, Skipped, Unchanged
from ingestion.sources.web.crawling import CrawlOptions
from ingestion.sources.web.site import crawl, read_page, read_sitemap

__all__ = [
    "CrawlOptions",
    "FeedFields",
    "FeedOptions",
    "FetchFailure",
    "FetchedDocument",
    "FolderOptions",
    "Gone",
    "Known",
    "Outcome",
    "Skipped",
    "Unchanged",
    "count_files",
    "crawl",
    "read_feed",
    "read_folder",
    "read_page",
    "read_sitemap",
]
