"""What was asked in a period, how well it was answered, and what the knowledge base lacks."""

from rag.insight.analytics.period import InvalidPeriod, Period, period_called
from rag.insight.analytics.report import Report, report_of

__all__ = ["InvalidPeriod", "Period", "Report", "period_called", "report_of"]
