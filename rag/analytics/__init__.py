"""What was asked in a period, how well it was answered, and what the knowledge base lacks."""

from rag.analytics.period import InvalidPeriod, Period, period_called
from rag.analytics.report import Report, report_of

__all__ = ["InvalidPeriod", "Period", "Report", "period_called", "report_of"]
