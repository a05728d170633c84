from django.apps import AppConfig


class KnowledgeTreeConfig(AppConfig):
    name = "knowledgetree"

    def ready(self) -> None:
        from knowledgetree import checks  # noqa: F401  (registers the system checks)
