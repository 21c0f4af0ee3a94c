"""The faces of the packages: exact, sorted, explained."""

from __future__ import annotations

import ast
import importlib
import inspect
from collections.abc import Iterator
from types import ModuleType

import pytest

import eve_inspect
from tests.conftest import ROOT

PACKAGES = sorted(
    ".".join(init.parent.relative_to(ROOT).parts)
    for init in (ROOT / "eve_inspect").rglob("__init__.py")
)
INNER = [name for name in PACKAGES if name != "eve_inspect"]


def bound(package: ModuleType) -> set[str]:
    """Return the public names that a package's own source defines or re-exports."""
    found: set[str] = set()
    for node in ast.parse(inspect.getsource(package)).body:
        match node:
            case ast.ImportFrom(module=module, names=aliases) if module != "__future__":
                found |= {alias.asname or alias.name for alias in aliases}
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                found.add(name)
            case ast.Assign(targets=targets):
                found |= {target.id for target in targets if isinstance(target, ast.Name)}
            case ast.AnnAssign(target=ast.Name(id=name)):
                found.add(name)
    return {name for name in found if not name.startswith("_")}


def public() -> Iterator[tuple[str, str]]:
    """Yield each package with each of its public names."""
    for name in PACKAGES:
        for exported in importlib.import_module(name).__all__:
            yield name, exported


@pytest.mark.parametrize("name", INNER)
def test_all_is_exact(name: str) -> None:
    package = importlib.import_module(name)
    assert set(package.__all__) == bound(package)
    assert len(set(package.__all__)) == len(package.__all__)


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_sorted(name: str) -> None:
    """In the linter's order: constants, then classes, then functions."""
    exported = importlib.import_module(name).__all__

    def kind(one: str) -> int:
        return 0 if one.isupper() else 1 if one[0].isupper() else 2

    assert list(exported) == sorted(exported, key=lambda one: (kind(one), one))


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_says_what_it_is(name: str) -> None:
    assert importlib.import_module(name).__doc__


@pytest.mark.parametrize(("package", "name"), list(public()))
def test_a_public_name_is_explained(package: str, name: str) -> None:
    """Read in the source: decorators and aliases hide or replace docstrings."""
    assert explanation(package, name).strip()


def explanation(module: str, name: str) -> str:
    """Return the docstring of what a module defines or re-exports under a name."""
    body = ast.parse(inspect.getsource(importlib.import_module(module))).body
    for position, node in enumerate(unguarded(body)):
        match node:
            case ast.ImportFrom(module=str(home), names=aliases):
                if any(alias.name == name for alias in aliases):
                    return explanation(home, name)
            case ast.FunctionDef(name=found) | ast.ClassDef(name=found) if found == name:
                return ast.get_docstring(node) or ""
            case (
                ast.Assign(targets=[ast.Name(id=found)]) | ast.AnnAssign(target=ast.Name(id=found))
            ) if found == name:
                return text_of(body[position + 1 :][:1])
    raise AssertionError(f"{name!r} is not defined in {module}")


def unguarded(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return statements, with those that only the type checker sees after the others."""
    guarded = [inner for node in body if isinstance(node, ast.If) for inner in node.body]
    return [*body, *guarded]


def text_of(following: list[ast.stmt]) -> str:
    """Return the text that stands under an assignment, if one does."""
    match following:
        case [ast.Expr(value=ast.Constant(value=str(text)))]:
            return text
    return ""


def test_the_face_lists_all_it_offers() -> None:
    assert set(eve_inspect.__all__) <= set(dir(eve_inspect))
    assert dir(eve_inspect) == sorted(set(dir(eve_inspect)))
    for name in eve_inspect.__all__:
        assert getattr(eve_inspect, name).__name__ == name


def test_the_face_holds_all_tasks() -> None:
    assert set(importlib.import_module("eve_inspect.tasks").__all__) <= set(eve_inspect.__all__)


def test_the_type_checker_sees_what_is_offered() -> None:
    """The names that are loaded late stand in the block for the type checker, and no others."""
    source = ast.parse(inspect.getsource(eve_inspect))
    seen: set[str] = set()
    for node in ast.walk(source):
        if isinstance(node, ast.ImportFrom) and str(node.module).startswith("eve_inspect."):
            seen |= {alias.name for alias in node.names}
    assert seen == set(eve_inspect.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'eve_inspect' has no attribute 'mcqa'"):
        eve_inspect.mcqa  # noqa: B018
    assert not hasattr(eve_inspect, "import_module_of_something")
