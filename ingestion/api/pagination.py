"""Pages of a list: `?page=2&page_size=100`."""

from rest_framework.pagination import PageNumberPagination


class Pages(PageNumberPagination):
    """`count` counts what the viewer may see, nothing else."""

    page_size = 50
    page_size_query_param = "page_size"
    max_page_size = 200
