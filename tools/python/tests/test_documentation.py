"""The examples of the README and the docstrings say what happens."""

import doctest
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

import tavli

README = (Path(__file__).parents[3] / "README.md").read_text()


def failures(text: str) -> int:
    test = doctest.DocTestParser().get_doctest(text, {"tavli": tavli}, "documentation", None, 0)
    assert test.examples
    return doctest.DocTestRunner(verbose=False).run(test).failed


def test_the_readmes_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert failures("\n".join(re.findall(r"```pycon\n(.*?)```", README, re.DOTALL))) == 0
    assert tavli.Rollout.load("opening-31.json").trials == 100_000


def test_the_docstrings() -> None:
    assert failures(str(tavli.__doc__)) == 0
    assert failures(str(tavli.Position.__doc__)) == 0


def test_everything_is_documented() -> None:
    for name in tavli.__all__:
        thing = getattr(tavli, name)
        if callable(thing):
            assert thing.__doc__, name
            for member in vars(thing) if isinstance(thing, type) else ():
                assert member.startswith("_") or getattr(thing, member).__doc__, f"{name}.{member}"


def test_the_readmes_dask_cluster(tmp_path: Path) -> None:
    if find_spec("dask") is None or find_spec("distributed") is None:
        pytest.skip("dask[distributed] is not installed")
    program = re.search(r"```python\n# dask_shards.py\n(.*?)```", README, re.DOTALL)
    output = re.search(r"\$ python dask_shards.py\n(.*?)```", README, re.DOTALL)
    assert program and output
    path = tmp_path / "dask_shards.py"
    path.write_text(program[1])
    run = subprocess.run([sys.executable, path], check=True, capture_output=True, text=True)
    assert run.stdout == output[1]
