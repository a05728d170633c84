"""The lexical searches of other RAG libraries, as shipped, on one BEIR folder: one table, one run, one machine.

    python -m venv .venv-peers
    .venv-peers/bin/pip install haystack-ai langchain-community rank-bm25 llama-index-core \
        llama-index-retrievers-bm25 txtai
    python benchmarks/peers/run.py --dataset FOLDER --ours --peers-python .venv-peers/bin/python

`pip install '.[benchmarks]'` puts the same into the project's own environment; `--peers-python` is then not needed.
"""

import argparse
import json
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1])]

from corpus import asked, read_qrels  # noqa: E402
from search import NOT_INSTALLED, PEERS  # noqa: E402

from rag.evaluation.measures.ranking import means, score_rankings  # noqa: E402

INSTALL = "pip install '.[benchmarks]'; or see benchmarks/peers/run.py for an environment of its own"


def searched(key: str, python: str, folder: Path, limit: int) -> dict[str, object] | None:
    """What `search.py` measured, in a process that holds no other system; None where the peer could not run."""
    with tempfile.TemporaryDirectory() as temporary:
        output = Path(temporary) / "rankings.json"
        command = [python, str(HERE / "search.py"), key, str(folder), str(output), "--limit", str(limit)]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode == NOT_INSTALLED:
            print(f"{PEERS[key][0]}: skipped, {ended.stdout.strip()} ({INSTALL}).", file=sys.stderr)
            return None
        if ended.returncode:
            print(f"{PEERS[key][0]}: failed.\n{ended.stderr[-2000:]}", file=sys.stderr)
            return None
        result: dict[str, object] = json.loads(output.read_text(encoding="utf-8"))
        return result


def compare(folder: Path, keys: list[str], pythons: dict[str, str], limit: int) -> dict[str, dict[str, object]]:
    """By system: the means of our measures, times and version."""
    queries = asked(folder, limit)
    qrels = {query: grades for query, grades in read_qrels(folder).items() if query in queries}
    results = {}
    for key in keys:
        print(f"{folder.name}: {PEERS[key][0]} …", file=sys.stderr)
        if result := searched(key, pythons[key], folder, limit):
            rankings = result.pop("rankings")
            results[key] = {**result, "measures": means(score_rankings(qrels, rankings))}
    return results


def table(results: dict[str, dict[str, dict[str, object]]]) -> str:
    """Markdown: a row for each system, for each folder nDCG@10 and the median of milliseconds a question."""
    keys = [key for key in PEERS if any(key in folder for folder in results.values())]
    lines = ["| nDCG@10 (ms) | " + " | ".join(results) + " |", "|---|" + "---:|" * len(results)]
    for key in keys:
        cells = [_cell(folder.get(key)) for folder in results.values()]
        lines.append(f"| {PEERS[key][0]} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def _cell(result: dict[str, object] | None) -> str:
    return f"{result['measures']['nDCG@10']:.3f} ({result['median_ms']:.1f})" if result else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", type=Path, nargs="+", required=True, help="BEIR folders")
    parser.add_argument("--limit", type=int, default=0, help="ask only so many questions, always the same")
    parser.add_argument("--ours", action="store_true", help="KnowledgeTree too, in its configured database")
    parser.add_argument("--peers", nargs="*", choices=[key for key in PEERS if key != "knowledgetree"])
    parser.add_argument("--peers-python", default=sys.executable, help="the interpreter that has the peers installed")
    parser.add_argument("--output", type=Path, default=HERE.parents[1] / "var/peers.json", help="all figures, as JSON")
    given = parser.parse_args()
    peers = [key for key in PEERS if key != "knowledgetree"] if given.peers is None else given.peers
    keys = peers + ["knowledgetree"] * given.ours
    pythons = {key: sys.executable if key == "knowledgetree" else given.peers_python for key in keys}
    results = {folder.name: compare(folder, keys, pythons, given.limit) for folder in given.dataset}
    print(table(results))
    machine = {"platform": platform.platform(), "python": platform.python_version(), "limit": given.limit}
    given.output.parent.mkdir(exist_ok=True)
    given.output.write_text(json.dumps({"machine": machine, "results": results}, indent=2), encoding="utf-8")
    print(f"\n{given.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
