"""The examples of the guides and the docstrings print what they show.

TAVLI_WRITE_README=1 writes the outputs into the guides instead.
"""

import doctest
import os
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tavli

ROOT = Path(__file__).parents[3]
SESSIONS = ["README.md", "tools/python/README.md"]
# Each program, what it needs besides tavli, and the guide that shows it.
PROGRAMS = [
    ("dask_shards.py", "distributed", "tools/mpi/README.md"),
    ("ray_shards.py", "ray", "tools/mpi/README.md"),
]
WRITE = "TAVLI_WRITE_README" in os.environ


class Runner(doctest.DocTestRunner):
    """Notes what the examples print that show something else."""

    def __init__(self) -> None:
        super().__init__(verbose=False)
        self.printed: list[tuple[doctest.Example, str]] = []

    def report_failure(self, out: object, test: doctest.DocTest, example: doctest.Example, got: str) -> None:
        self.printed.append((example, got))


def differing(text: str) -> list[tuple[doctest.Example, str]]:
    test = doctest.DocTestParser().get_doctest(text, {"tavli": tavli}, "documentation", None, 0)
    assert test.examples
    runner = Runner()
    result = runner.run(test)
    assert result.failed == len(runner.printed), "an exception"
    return runner.printed


def sessions(text: str) -> list[str]:
    """The lines of a document, empty outside its sessions."""
    lines, inside = [], False
    for line in text.split("\n"):
        if line.startswith("```"):
            inside = line == "```pycon"
        lines.append(line if inside and not line.startswith("```") else "")
    return lines


@pytest.mark.parametrize("document", SESSIONS)
def test_the_sessions_of_the_guides(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = ROOT / document
    text = path.read_text()
    printed = differing("\n".join(sessions(text)))
    if WRITE:
        lines = text.split("\n")
        for example, got in reversed(printed):
            start = example.lineno + example.source.count("\n")
            lines[start : start + example.want.count("\n")] = got.splitlines()
        path.write_text("\n".join(lines))
    else:
        assert [(example.source, got) for example, got in printed] == []
    if "opening-31.json" in text:
        assert tavli.Rollout.load("opening-31.json").trials == 2592


def test_the_docstrings() -> None:
    assert not differing(str(tavli.__doc__))
    assert not differing(str(tavli.Position.__doc__))


def test_everything_is_documented() -> None:
    for name in tavli.__all__:
        thing = getattr(tavli, name)
        if callable(thing):
            assert thing.__doc__, name
            for member in vars(thing) if isinstance(thing, type) else ():
                assert member.startswith("_") or getattr(thing, member).__doc__, f"{name}.{member}"


@pytest.mark.parametrize(("program", "needs", "document"), PROGRAMS)
def test_the_programs_of_the_guides(program: str, needs: str, document: str, tmp_path: Path) -> None:
    if find_spec(needs) is None:
        pytest.skip(f"{needs} is not installed: {program} of {document} was not run")
    text = (ROOT / document).read_text()
    source = re.search(rf"```python\n# {program}\n(.*?)```", text, re.DOTALL)
    output = re.search(rf"\$ python {program}\n(.*?)```", text, re.DOTALL)
    assert source and output
    path = tmp_path / program
    path.write_text(source[1])
    run = subprocess.run([sys.executable, path], check=True, capture_output=True, text=True)
    if WRITE:
        (ROOT / document).write_text(text[: output.start(1)] + run.stdout + text[output.end(1) :])
    else:
        assert run.stdout == output[1]
