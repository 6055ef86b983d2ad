"""pyproject.toml, constraints.txt and environment.yml must say the same."""

import os
import re
import tomllib
from importlib import metadata

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tformer_course import offline_models
from tformer_course.doctor import wrong_versions

SYSTEMS = [
    {"python_version": f"3.{minor}", "python_full_version": f"3.{minor}.0", "sys_platform": system, "os_name": name}
    for minor in (11, 12, 13)
    for system, name in (("linux", "posix"), ("darwin", "posix"), ("win32", "nt"))
]


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text())["project"]


@pytest.fixture(scope="module")
def pins(root):
    lines = (root / "constraints.txt").read_text().splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def requirements(project):
    extras = [text for extra in project["optional-dependencies"].values() for text in extra]
    wanted = [Requirement(text) for text in project["dependencies"] + extras]
    return [requirement for requirement in wanted if requirement.name != project["name"]]


def test_what_ci_installs_includes_the_parts_that_notebooks_skip_otherwise(project):
    own = [Requirement(text) for text in project["optional-dependencies"]["dev"] if project["name"] in text]
    assert {extra for requirement in own for extra in requirement.extras} == {"lora", "onnx"}


def test_every_pin_is_one_exact_version_without_a_local_build(pins):
    for pin in pins:
        assert re.fullmatch(r"==[0-9][^+*,]*", str(pin.specifier)), pin


def test_no_package_is_pinned_twice(pins):
    names = [canonicalize_name(pin.name) for pin in pins]
    assert len(names) == len(set(names))


def test_torch_is_the_version_that_the_course_was_tested_with(pins):
    assert [str(pin.specifier) for pin in pins if pin.name == "torch"] == ["==2.13.0"]


@pytest.mark.parametrize("system", SYSTEMS, ids=lambda s: f"{s['python_version']}-{s['sys_platform']}")
def test_every_dependency_has_a_pin_within_its_range_on_every_system(project, pins, system):
    here = {canonicalize_name(p.name): p for p in pins if p.marker is None or p.marker.evaluate(system)}
    for requirement in requirements(project):
        pin = here[canonicalize_name(requirement.name)]
        version = str(pin.specifier).removeprefix("==")
        assert requirement.specifier.contains(version), f"{pin} is outside {requirement}"


def test_conda_installs_this_package_under_the_same_pins(root, project):
    text = (root / "environment.yml").read_text()
    steps = [line.strip() for line in text.splitlines() if not line.startswith("#")]
    assert "- -c constraints.txt" in steps and "- -e ." in steps
    python = re.search(r"- python=(\S+)", text).group(1)
    assert Requirement(f"python{project['requires-python']}").specifier.contains(python)
    # Nothing else is installed there that the pins would not know.
    assert len([step for step in steps if step.startswith("- ")]) == len(
        ["conda-forge", "python", "pip", "pip:", "-c", "-e ."]
    )


def test_course_py_and_pyproject_agree_on_python(project):
    import course

    allowed = Requirement(f"python{project['requires-python']}").specifier
    for minor in range(8, 20):
        assert allowed.contains(f"3.{minor}.0") == (course.wrong_python((3, minor)) is None), minor


@pytest.mark.skipif("TFORMER_RELEASES" in os.environ, reason="other releases than the pinned ones, on purpose")
def test_what_is_installed_for_the_course_has_a_pin(pins):
    """Walks from the package through all that it needs here: a new dependency without a pin is found."""
    pinned = {canonicalize_name(pin.name) for pin in pins}
    seen, todo = set(), [Requirement("tformer-course[dev]")]
    while todo:
        requirement = todo.pop()
        name = canonicalize_name(requirement.name)
        if (name, frozenset(requirement.extras)) in seen:
            continue
        seen.add((name, frozenset(requirement.extras)))
        assert name in pinned | {"tformer-course", "setuptools"}, f"{name} is installed without a pin"
        for text in metadata.requires(name) or []:
            needed = Requirement(text)
            environments = [{"extra": extra} for extra in ("", *requirement.extras)]
            if needed.marker is None or any(needed.marker.evaluate(e) for e in environments):
                todo.append(needed)


def test_the_models_are_pinned_as_they_are_installed(pins):
    pinned = {pin.name: str(pin.specifier) for pin in pins}
    for model in (offline_models.BERT, offline_models.LLAMA):
        assert pinned[model.package] == f"=={model.version}"


def test_a_wrong_version_is_noticed_and_a_cpu_build_is_none():
    have = metadata.version("pytest")
    assert wrong_versions(f"# comment\n\npytest=={have}\nnot-installed-at-all==1.0\n") == []
    assert wrong_versions("pytest==0.1") == [("pytest", have, "0.1")]
    torch = Version(metadata.version("torch")).public
    assert wrong_versions(f"torch=={torch}") == []
    assert wrong_versions("pytest==0.1 ; sys_platform == 'nowhere'") == []
