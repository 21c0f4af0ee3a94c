"""The rooms of the house: what is where, and who knows whom."""

from __future__ import annotations

import ast
import importlib
import json
import re
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from inspect_ai.util import registry_info
from packaging.requirements import Requirement
from packaging.version import Version

import eve_inspect._registry
import eve_inspect.scorers
import eve_inspect.tasks
from tests.conftest import ROOT
from tests.e2e.starting import build_wheel

PACKAGE = ROOT / "eve_inspect"
MODULES = sorted(PACKAGE.rglob("*.py"))

FLOORS: dict[str, int] = {
    "answers": 0,
    "metrics": 0,
    "prompts": 0,
    "datasets": 0,
    "models": 0,
    "scorers": 1,
    "solvers": 1,
    "tasks": 2,
    "evaluation": 3,
    "reports": 4,
    "cli": 5,
}
"""How high each part sits: it may use what is below it, and nothing beside or above."""

FREE_OF_INSPECT = ("answers", "metrics")
HEAVY = ("datasets", "huggingface_hub", "openai", "pandas", "pyarrow", "scipy", "xllamacpp")
CONSTRAINTS = ("constraints.txt", "constraints-embeddings.txt")
MOST_LINES_OF_A_MODULE = 400
MOST_LINES_OF_A_FUNCTION = 60


class Import(NamedTuple):
    """An absolute import in a module of the package."""

    source: Path
    line: int
    module: str

    @property
    def top(self) -> str:
        """The imported distribution's or package's name."""
        return self.module.partition(".")[0]

    def __str__(self) -> str:
        """Return where it is, as editors understand it."""
        return f"{self.source.relative_to(ROOT)}:{self.line} imports {self.module}"


def part(module: str) -> str:
    """Return the part of the package that a dotted name is in; empty for the package itself."""
    return module.split(".")[1] if module.count(".") else ""


def part_of(source: Path) -> str:
    """Return the part of the package that a file is in; empty for the package itself."""
    return part(".".join((source.relative_to(ROOT)).with_suffix("").parts)).removesuffix("__init__")


@cache
def tree(source: Path) -> ast.Module:
    """Return a module's syntax tree."""
    return ast.parse(source.read_text(encoding="utf-8"), str(source))


def imports(source: Path) -> Iterator[Import]:
    """Yield what a module imports anywhere, in functions and for the type checker too."""
    for node in ast.walk(tree(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(source, node.lineno, alias.name)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{source}:{node.lineno}: imports here are absolute"
            yield from (
                Import(source, node.lineno, named(str(node.module), alias.name))
                for alias in node.names
            )


def named(module: str, name: str) -> str:
    """Return what ``from module import name`` reaches into: a module, or something private."""
    inner = f"{module}.{name}"
    place = ROOT / inner.replace(".", "/")
    is_module = place.is_dir() or place.with_suffix(".py").is_file()
    return inner if is_module or name.startswith("_") else module


ALL_IMPORTS = [one for source in MODULES for one in imports(source)]


def folders(parent: str) -> set[str]:
    """Return the names of the folders in a folder of the root."""
    return {entry.name for entry in (ROOT / parent).iterdir() if entry.is_dir()}


def registered(kind: str) -> set[str]:
    """Return the short names of what the entry point registers, of one kind."""
    found = (getattr(eve_inspect._registry, name) for name in eve_inspect._registry.__all__)
    infos = [registry_info(one) for one in found]
    return {info.name.rpartition("/")[2] for info in infos if info.type == kind}


# Cards and run files


@pytest.mark.parametrize("name", sorted(registered("task")))
def test_a_task_has_its_card_and_its_run_file(name: str) -> None:
    folder = ROOT / "tasks" / name
    assert (folder / "README.md").read_text(encoding="utf-8").startswith(f"# {name}\n")
    settings = yaml.safe_load((folder / "run.yaml").read_text(encoding="utf-8"))
    assert settings["task"]["task"] == f"eve_inspect/{name}"
    assert settings["generate_config"]["temperature"] == 0
    assert "model" not in settings, "the user names the model"


@pytest.mark.parametrize("name", sorted(registered("task")))
def test_a_task_has_a_module_of_its_name(name: str) -> None:
    # Inspect's lister skips modules with a leading underscore.
    assert (PACKAGE / "tasks" / f"{name}.py").is_file()


@pytest.mark.parametrize("name", sorted(registered("scorer")))
def test_a_scorer_has_its_card(name: str) -> None:
    card = (ROOT / "scorers" / name / "README.md").read_text(encoding="utf-8")
    assert card.startswith(f"# {name}\n")


@pytest.mark.parametrize(("parent", "kind"), [("tasks", "task"), ("scorers", "scorer")])
def test_no_folder_is_left_over(parent: str, kind: str) -> None:
    assert folders(parent) == registered(kind)


@pytest.mark.parametrize("parent", ["tasks", "scorers"])
def test_what_people_read_holds_no_code(parent: str) -> None:
    held = {path.name for path in (ROOT / parent).rglob("*") if path.is_file()}
    assert held <= {"README.md", "run.yaml", "panel.yaml"}


# Imports


def test_imports_go_one_way() -> None:
    wrong = []
    for one in ALL_IMPORTS:
        importer, imported = part_of(one.source), part(one.module)
        if one.top != "eve_inspect" or importer not in FLOORS or imported not in FLOORS:
            continue
        if imported != importer and FLOORS[imported] >= FLOORS[importer]:
            wrong.append(str(one))
    assert wrong == []


def test_every_part_has_its_floor() -> None:
    parts = {part_of(source) for source in MODULES} - {""}
    assert parts - {"_errors", "_paths", "_providers", "_registry"} <= FLOORS.keys()


def test_only_the_face_and_the_registry_know_everything() -> None:
    """No part imports the package itself, which would lead back up."""
    wrong = [
        str(one)
        for one in ALL_IMPORTS
        if one.top == "eve_inspect"
        and part(one.module) in ("", "_registry")
        and part_of(one.source)
    ]
    assert wrong == []


def test_private_modules_stay_within_their_package() -> None:
    wrong = [
        str(one)
        for one in ALL_IMPORTS
        if one.module.startswith("eve_inspect.")
        and part(one.module) in FLOORS
        and any(name.startswith("_") for name in one.module.split(".")[2:])
        and part(one.module) != part_of(one.source)
    ]
    assert wrong == []


def test_reading_and_figures_know_nothing_of_inspect() -> None:
    wrong = [
        str(one)
        for one in ALL_IMPORTS
        if part_of(one.source) in FREE_OF_INSPECT and one.top == "inspect_ai"
    ]
    assert wrong == []


def test_only_public_parts_of_inspect_are_imported() -> None:
    sources = [*MODULES, *(ROOT / "scripts").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    wrong = [
        str(one)
        for source in [*sources, *(ROOT / "tests").rglob("*.py")]
        for one in imports(source)
        if one.top == "inspect_ai" and "._" in one.module
    ]
    assert wrong == []


def loaded_by(*statements: str) -> list[set[str]]:
    """Return the top-level modules that are loaded after each statement, in one fresh process."""
    lines = ["import json, sys", "seen = []"]
    for statement in statements:
        lines += [statement, "seen.append(sorted({m.partition('.')[0] for m in sys.modules}))"]
    source = "\n".join([*lines, "print(json.dumps(seen))"])
    done = subprocess.run(
        [sys.executable, "-c", source], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return [set(names) for names in json.loads(done.stdout)]


def test_imports_are_light() -> None:
    inspect_parts = "dataset, log, model, scorer, solver, util"
    face, inspect_alone, registry = loaded_by(
        "import eve_inspect",
        f"import inspect_ai\nfrom inspect_ai import {inspect_parts}",
        "import eve_inspect._registry",
    )
    assert "eve_inspect" in face
    assert face.isdisjoint({"inspect_ai", *HEAVY})
    assert (registry - inspect_alone).isdisjoint(HEAVY)


# Sizes


@pytest.mark.parametrize("source", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_modules_and_functions_can_be_taken_in(source: Path) -> None:
    functions = {
        node.name: lines_of_body(node)
        for node in ast.walk(tree(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }
    long = {name: lines for name, lines in functions.items() if lines > MOST_LINES_OF_A_FUNCTION}
    assert long == {}
    # A module without functions is a table, looked up and not read through.
    lines = len(source.read_text(encoding="utf-8").splitlines()) if functions else 0
    assert lines <= MOST_LINES_OF_A_MODULE


def lines_of_body(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return a function's lines without signature and docstring, which are its documentation."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


# The registry


def test_the_registry_holds_what_the_packages_offer() -> None:
    offered = set()
    for name in ("models", "scorers", "solvers", "tasks"):
        package = importlib.import_module(f"eve_inspect.{name}")
        found = (getattr(package, one) for one in package.__all__)
        offered |= {known(one) for one in found if is_registered(one)}
    held = [known(getattr(eve_inspect._registry, one)) for one in eve_inspect._registry.__all__]
    assert len(held) == len(set(held))
    assert set(held) == offered
    assert registered("task") == set(eve_inspect.tasks.__all__)


def known(one: object) -> tuple[str, str]:
    """Return kind and name under which Inspect knows an object: a task and a scorer share one."""
    info = registry_info(one)
    return info.type, info.name


def is_registered(one: object) -> bool:
    """Whether Inspect knows an object."""
    try:
        return bool(registry_info(one))
    except ValueError:
        return False


@pytest.mark.parametrize("name", eve_inspect._registry.__all__)
def test_registered_names_have_the_prefix(name: str) -> None:
    info = registry_info(getattr(eve_inspect._registry, name))
    # A provider is a class, named as classes are; a scorer and a task share a name.
    known_as = {"GgufAPI": "gguf", "win_rate_scorer": "win_rate"}.get(name, name)
    assert info.name == f"eve_inspect/{known_as}"


# What is published


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[zipfile.ZipFile]:
    """The wheel of this tree."""
    before = set(ROOT.iterdir())
    path = build_wheel(ROOT, tmp_path_factory.mktemp("dist"))
    left = {entry.name for entry in set(ROOT.iterdir()) - before}
    assert not any(name in ("build", "dist") or name.endswith(".egg-info") for name in left)
    with zipfile.ZipFile(path) as archive:
        yield archive


def test_the_wheel_holds_the_package_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    names = [Path(name) for name in wheel.namelist()]
    tops = {name.parts[0] for name in names}
    assert tops == {"eve_inspect", f"eve_inspect-{project()['version']}.dist-info"}
    packed = {str(name) for name in names if name.parts[0] == "eve_inspect"}
    in_tree = {
        str(path.relative_to(ROOT))
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    assert packed == in_tree


@pytest.mark.parametrize(
    "pattern",
    [
        r"eve_inspect/py\.typed",
        r"eve_inspect/prompts/mcqa_single-v\d+\.txt",
        r"eve_inspect/datasets/samples/mcqa_single\.jsonl",
        r"eve_inspect-[\d.]+\.dist-info/licenses/LICENSE",
    ],
)
def test_the_wheel_has_what_is_not_python(wheel: zipfile.ZipFile, pattern: str) -> None:
    assert any(re.fullmatch(pattern, name) for name in wheel.namelist())


def test_the_wheel_announces_itself_to_inspect(wheel: zipfile.ZipFile) -> None:
    (name,) = [name for name in wheel.namelist() if name.endswith("entry_points.txt")]
    lines = wheel.read(name).decode().split("\n")
    assert [line for line in lines if line] == [
        "[console_scripts]",
        "eve-inspect = eve_inspect.cli:main",
        "[inspect_ai]",
        "eve_inspect = eve_inspect._registry",
    ]


def project() -> dict[str, Any]:
    """Return the project's metadata."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return table


def test_the_citation_has_the_version() -> None:
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert str(citation["version"]) == project()["version"]


def test_the_changelog_has_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(project()['version'])}\b", changelog, re.MULTILINE)


def canonical(name: str) -> str:
    """Return a distribution's name as indexes compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()


def pins(name: str) -> list[str]:
    """Return the lines of a constraints file."""
    return (ROOT / name).read_text(encoding="utf-8").splitlines()


def test_constraints_are_names_and_versions() -> None:
    lines = [line for name in CONSTRAINTS for line in pins(name)]
    wrong = [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[A-Za-z0-9.!+]+", line)]
    assert wrong == []
    names = [canonical(line.partition("==")[0]) for line in lines]
    assert len(names) == len(set(names))


def test_what_the_project_needs_is_constrained() -> None:
    constraints = [line for name in CONSTRAINTS for line in pins(name)]
    versions = dict(line.split("==") for line in constraints)
    known = {canonical(name): Version(version) for name, version in versions.items()}
    extras = project()["optional-dependencies"].values()
    named = [Requirement(text) for group in [project()["dependencies"], *extras] for text in group]
    needed = [one for one in named if one.name != "eve-inspect"]  # an extra that names another
    missing = [one for one in needed if canonical(one.name) not in known]
    assert missing == []
    unmet = [one for one in needed if known[canonical(one.name)] not in one.specifier]
    assert unmet == []


def test_contributing_is_short() -> None:
    assert len((ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split()) < 500
