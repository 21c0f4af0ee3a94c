"""How tests start the suite in processes of its own: wheels, environments, commands."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from importlib.metadata import entry_points
from pathlib import Path
from typing import NamedTuple

from tests.servers.openai_server import OpenAIServer

_LIMIT = 100
"""Seconds after which a process counts as stuck."""

_OWN = ("COV", "INSPECT_", "PYTEST_", "PYTHON", "VIRTUAL_ENV")
"""What this test run set for itself, and a user's shell would not have."""


class Ran(NamedTuple):
    """What a finished command left."""

    code: int
    out: str
    err: str


class Installation(NamedTuple):
    """An interpreter, and the ``inspect`` script that belongs to it."""

    python: Path
    inspect: Path

    def cli(self, *arguments: str) -> list[str]:
        """Return the ``inspect`` command with arguments."""
        return [str(self.python), str(self.inspect), *arguments]

    def code(self, source: str) -> list[str]:
        """Return the command that runs Python source."""
        return [str(self.python), "-c", source]


def environment(home: Path) -> dict[str, str]:
    """Return a user's environment in which nothing is written outside of ``home``.

    The walls of this test run (proxies to nowhere) stay.
    """
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OWN)}
    folders = {
        "HOME": home,
        "XDG_CACHE_HOME": home / "cache",
        "XDG_CONFIG_HOME": home / "config",
        "XDG_DATA_HOME": home / "data",
        "XDG_RUNTIME_DIR": home / "run",
        "IPYTHONDIR": home / "ipython",
        "JUPYTER_CONFIG_DIR": home / "jupyter-config",
        "JUPYTER_DATA_DIR": home / "jupyter",
        "JUPYTER_RUNTIME_DIR": home / "jupyter-run",
    }
    # No bytecode: no cache folders appear in the tree. No buffer: output is there to wait for.
    return {
        **kept,
        **{name: str(folder) for name, folder in folders.items()},
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONUNBUFFERED": "1",
        "PYTHONUTF8": "1",
    }


def run(command: list[str], cwd: Path, home: Path) -> Ran:
    """Run a command to its end, without a terminal."""
    done = subprocess.run(
        command,
        cwd=cwd,
        env=environment(home),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=_LIMIT,
        check=False,
    )
    return Ran(done.returncode, done.stdout, done.stderr)


def run_well(command: list[str], cwd: Path, home: Path) -> Ran:
    """Run a command that has to succeed."""
    ran = run(command, cwd, home)
    assert ran.code == 0, f"{command} in {cwd} gave {ran.code}:\n{ran.out}\n{ran.err}"
    return ran


def endpoint(server: OpenAIServer) -> list[str]:
    """Return the options that make ``inspect eval`` ask the loopback server."""
    return [
        "--model",
        "openai-api/loopback/model",
        "--model-base-url",
        server.url,
        "-M",
        "api_key=none",
    ]


def build_wheel(repository: Path, folder: Path) -> Path:
    """Build the wheel of the repository into a folder, as pip would, and return its path."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel"]
    run_well([*command, "--directory", str(folder)], cwd=repository, home=folder)
    (wheel,) = folder.glob("*.whl")
    return wheel


def editable() -> Installation:
    """Return the installation that runs this test."""
    scripts = Path(sysconfig.get_path("scripts"))
    return Installation(Path(sys.executable), scripts / "inspect")


def install_wheel(wheel: Path, folder: Path) -> Installation:
    """Install a wheel into a new environment that borrows its dependencies from this one.

    The borrowed packages come last on the path, and ``.pth`` files among them are not followed:
    neither this environment's own installation of the package nor the source tree can be seen.
    """
    venv = folder / "venv"
    run_well([sys.executable, "-m", "venv", "--without-pip", str(venv)], folder, folder)
    python = venv / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    offline = ["--no-deps", "--no-build-isolation", "--no-index", "--quiet"]
    run_well([*pip, "install", *offline, str(wheel)], folder, folder)
    site_packages = "import sysconfig; print(sysconfig.get_path('purelib'))"
    inner = Path(run_well([str(python), "-c", site_packages], folder, folder).out.strip())
    (inner / "zz_borrowed.pth").write_text(sysconfig.get_path("purelib"), encoding="utf-8")
    return Installation(python, _script(venv / "bin" / "inspect", "inspect"))


def _script(path: Path, name: str) -> Path:
    """Write the console script that pip would write for an entry point."""
    (entry,) = entry_points(group="console_scripts", name=name)
    path.write_text(
        f"import sys\nfrom {entry.module} import {entry.attr}\nsys.exit({entry.attr}())\n",
        encoding="utf-8",
    )
    return path
