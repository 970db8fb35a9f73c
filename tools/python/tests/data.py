"""The reference data that is committed with the Rust library; see its README for the sources."""

import gzip
from pathlib import Path

FOLDER = Path(__file__).parents[3] / "kernel" / "backgammon" / "tests" / "data"


def rows(name: str) -> list[list[str]]:
    """The rows of a tab-separated file, without comments and the header."""
    path = FOLDER / name
    text = gzip.decompress(path.read_bytes()).decode() if path.suffix == ".gz" else path.read_text()
    lines = (line for line in text.splitlines() if not line.startswith("#"))
    return [line.split("\t") for line in lines]
