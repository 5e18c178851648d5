"""What counts as size."""

from pathlib import Path

from tools.sizes import code_lines, sizes, statements


def test_statements_are_counted_wherever_they_are_but_no_docstrings() -> None:
    source = '"""One."""\nimport os\n\n\ndef f() -> int:\n    """Two."""\n    if os:\n        return 1\n    return 2\n'
    assert statements(source) == 5  # import, def, if, and twice return


def test_blank_lines_and_comments_are_no_code() -> None:
    assert code_lines("// one\n\n/** two\n * three\n */\nlet a = 1; // four\n") == 1


def test_files_are_counted_for_the_folder_they_are_in(tmp_path: Path) -> None:
    for name, source in (("top.py", "a = 1\n"), ("web/deep/b.py", "b = 1\nc = 2\n"), ("web/static/d.js", "let d;\n")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    assert sizes(tmp_path) == {
        ".": {"files": 1, "statements": 1},
        "web": {"files": 2, "statements": 2, "page": 1},
    }
