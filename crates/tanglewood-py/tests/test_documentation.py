"""Documentation: examples run, and stubs say what is there."""

import ast
import doctest
import inspect
import pathlib
import runpy
import sys

import pytest
import tanglewood
import tanglewood.arrow
from tanglewood import _tanglewood

PACKAGE = pathlib.Path(__file__).resolve().parents[1]
FOLDER = pathlib.Path(tanglewood.__file__).parent


def documented():
    yield "tanglewood", tanglewood.__doc__
    for name in tanglewood.__all__:
        yield from of_thing(name, getattr(tanglewood, name))
    for name in tanglewood.arrow.__all__:
        yield from of_thing(f"arrow.{name}", getattr(tanglewood.arrow, name))


def of_thing(name, thing):
    yield name, thing.__doc__
    if inspect.isclass(thing):
        for member in vars(thing):
            if not member.startswith("_"):
                yield f"{name}.{member}", inspect.getdoc(getattr(thing, member))


DOCUMENTED = dict(documented())


@pytest.mark.parametrize("name", DOCUMENTED)
def test_everything_is_documented_and_examples_run(name):
    text = DOCUMENTED[name]
    assert text, f"{name} has no docstring"
    run_examples(name, text)


def run_examples(name, text):
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, 0)
    output = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    runner.run(test, out=output.append)
    assert runner.failures == 0, "".join(output)
    return len(test.examples)


def test_functions_have_examples():
    functions = [name for name in tanglewood.__all__ if not inspect.isclass(getattr(tanglewood, name))]
    # Its rows depend on files.
    functions.remove("coverage")
    for name in functions:
        assert ">>>" in DOCUMENTED[name], f"{name} has no example"


def test_the_page_of_documentation_is_true():
    page = PACKAGE.parents[1] / "docs" / "python.md"
    examples = [part.split("```")[0] for part in page.read_text(encoding="utf-8").split("```pycon\n")[1:]]
    assert examples
    assert run_examples("docs/python.md", "\n".join(examples)) > 10


@pytest.mark.parametrize("script", ["from_scores_to_trees.py"])
def test_example_scripts_run(script, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", [script])
    runpy.run_path(str(PACKAGE / "examples" / script), run_name="__main__")
    assert capsys.readouterr().out
    assert any(tmp_path.glob("*.svg"))


def parameters(node):
    arguments = node.args
    names = [argument.arg for argument in arguments.posonlyargs + arguments.args]
    defaults = [None] * (len(names) - len(arguments.defaults)) + arguments.defaults
    only = [argument.arg for argument in arguments.kwonlyargs]
    pairs = list(zip(names, defaults)) + list(zip(only, arguments.kw_defaults))
    return [(name, ast.literal_eval(default) if default is not None else inspect.Parameter.empty) for name, default in pairs]


def of_signature(function):
    return [(name, parameter.default) for name, parameter in inspect.signature(function).parameters.items()]


def test_stubs_say_what_is_there():
    stub = ast.parse((FOLDER / "_tanglewood.pyi").read_text(encoding="utf-8"))
    seen = set()
    for node in stub.body:
        if isinstance(node, ast.FunctionDef):
            seen.add(node.name)
            assert parameters(node) == of_signature(getattr(_tanglewood, node.name)), node.name
        if isinstance(node, ast.ClassDef):
            seen.add(node.name)
            real = getattr(_tanglewood, node.name)
            members = {member.name: member for member in node.body if isinstance(member, ast.FunctionDef)}
            public = {name for name in vars(real) if not name.startswith("_")}
            assert {name for name in members if not name.startswith("_")} == public, node.name
            for name in public:
                if callable(getattr(real, name)):
                    assert parameters(members[name]) == of_signature(getattr(real, name)), name
    # What the command line and the functions for tables call is for nobody else.
    behind = {"run_program", "Batch", "Stream", "arrow_parse", "arrow_coverage", "arrow_evaluate", "arrow_read_conllu"}
    assert seen == set(tanglewood.__all__) | behind
    assert (FOLDER / "py.typed").exists()


def test_stubs_of_the_package_name_everything():
    stub = ast.parse((FOLDER / "__init__.pyi").read_text(encoding="utf-8"))
    names = {alias.asname for node in stub.body if isinstance(node, ast.ImportFrom) for alias in node.names}
    assert names == set(tanglewood.__all__) | {"__version__"}
