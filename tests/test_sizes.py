"""What counts as size."""

from pathlib import Path

from tools.sizes import code_characters, sizes, statements


def test_statements_are_counted_wherever_they_are_but_no_docstrings() -> None:
    source = '"""One."""\nimport os\n\n\ndef f() -> int:\n    """Two."""\n    if os:\n        return 1\n    return 2\n'
    assert statements(source) == 5  # import, def, if, and twice return


def test_the_layout_of_the_page_does_not_count() -> None:
    for source in ("let a = 1;\n", "let a =\n\n    1;\n"):
        assert code_characters(source) == len("leta=1;")


def test_comments_of_the_page_are_no_code_but_texts_like_them_are() -> None:
    source = '// one\n/** two\n * three\n */\nlet a = `//${b} /* c */`; // four\nlet d = "/* e";\n'
    assert code_characters(source) == len('leta=`//${b}/*c*/`;letd="/*e";')


def test_files_are_counted_for_the_folder_they_are_in(tmp_path: Path) -> None:
    for name, source in (("top.py", "a = 1\n"), ("web/deep/b.py", "b = 1\nc = 2\n"), ("web/static/d.js", "let d;\n")):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(source, encoding="utf-8")
    assert sizes(tmp_path) == {
        ".": {"files": 1, "statements": 1},
        "web": {"files": 2, "statements": 2, "page": 5},
    }
