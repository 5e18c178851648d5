"""Messages and their texts: parameters, plurals, lists, quotes, numbers, and what happens where a text is missing."""

import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import palabre
from palabre.core import registry
from palabre.core.errors import ImpossiblePosition, PalabreError
from palabre.core.game_words import GameWords
from palabre.core.words import Message, beside, own_words, quoted, say, text_of, texts, typeset
from tests.messages import holds

NARROW, WIDE = "\N{NARROW NO-BREAK SPACE}", "\N{NO-BREAK SPACE}"


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of words in which French lacks one text."""
    (tmp_path / "en.toml").write_text(
        """
        cells = "on {cells}"
        kinds = "{kinds:or}"
        seconds = "{seconds:.2f} s, {nodes:,} nodes"
        outer = "said: {inner}"
        english = "only English"
        [seeds]
        taken = { one = "{count} seed", many = "{count} seeds" }
        """,
        encoding="utf-8",
    )
    (tmp_path / "fr.toml").write_text(
        """
        cells = "en {cells}"
        kinds = "{kinds:or}"
        seconds = "{seconds:.2f} s, {nodes:,} nœuds"
        outer = "dit : {inner}"
        [seeds]
        taken = { one = "{count} graine", many = "{count} graines" }
        """,
        encoding="utf-8",
    )
    return tmp_path


def both(home: Path, id: str, **params: object) -> tuple[str, str]:
    message = Message(id, params, str(home))
    return message.text("en"), message.text("fr")


def test_the_singular_is_for_one_and_in_french_also_for_none(home: Path) -> None:
    told = [both(home, "seeds.taken", count=count) for count in (0, 1, 2)]
    assert told == [("0 seeds", "0 graine"), ("1 seed", "1 graine"), ("2 seeds", "2 graines")]


def test_lists_are_joined_as_one_speaks(home: Path) -> None:
    assert both(home, "cells", cells=["d"]) == ("on d", "en d")
    assert both(home, "cells", cells=("d", "e")) == ("on d and e", "en d et e")
    assert both(home, "cells", cells=["d", "e", "f"]) == ("on d, e and f", "en d, e et f")
    assert both(home, "kinds", kinds=["r", "b", "tr"]) == ("r, b or tr", "r, b ou tr")
    assert both(home, "cells", cells=[]) == ("on ", "en ")


def test_numbers_have_the_decimal_sign_of_the_language(home: Path) -> None:
    assert both(home, "seconds", seconds=1.5, nodes=12000) == (
        "1.50 s, 12,000 nodes",
        f"1,50 s, 12{NARROW}000 nœuds",
    )


def test_a_message_in_a_message_is_in_the_same_language(home: Path) -> None:
    inner = Message("seeds.taken", {"count": 2}, str(home))
    assert both(home, "outer", inner=inner) == ("said: 2 seeds", f"dit{WIDE}: 2 graines")


def test_quotes_are_one_short_line() -> None:
    assert quoted("a\nb") == r"'a\nb'"
    long = quoted("x" * 1500, 3)
    assert isinstance(long, Message)
    assert (str(long), long.text("fr")) == ("'xxx'… (1,500 characters)", f"'xxx'… (1{NARROW}500 caractères)")
    told = say("spec.bot_too_long", spec="y" * 70).text("fr")
    assert told == f"'{'y' * 60}'… (70 caractères) est trop long pour désigner un robot"


def test_english_stands_in_for_a_missing_translation(home: Path) -> None:
    assert both(home, "english") == ("only English", "only English")
    assert Message("english", {}, str(home)).text("de") == "only English"


def test_general_texts_are_found_from_any_home(home: Path) -> None:
    assert both(home, "error.game_is_over") == ("the game is over", "la partie est finie")


def test_an_unknown_id_is_a_mistake_of_ours(home: Path) -> None:
    with pytest.raises(KeyError, match="there is no text 'nothing' in"):
        str(Message("nothing", {}, str(home)))


def test_french_punctuation_does_not_begin_a_line() -> None:
    assert typeset("Oui ; non ! Où ? Ici : « là ».", "fr") == (
        f"Oui{NARROW}; non{NARROW}! Où{NARROW}? Ici{WIDE}: «{WIDE}là{WIDE}»."
    )
    assert typeset("l'un d'{x} 'y'", "fr") == "l’un d’{x} 'y'"
    assert typeset("Why ?", "en") == "Why ?"
    assert typeset("| --- | :-- |", "fr") == "| --- | :-- |"


def test_errors_speak_both_languages_also_after_pickling() -> None:
    with pytest.raises(ImpossiblePosition) as caught:
        palabre.game("awele").position("4,4,4,4,4,4/4,4,4,4,4,5 0,0 1 0")
    for error in (caught.value, pickle.loads(pickle.dumps(caught.value))):
        holds(error.message, "error.total", total=49, seeds=48)
        assert str(error) == error.text() == text_of(error.message, "en")
        assert error.text() != error.text("fr") == text_of(error.message, "fr")


def test_an_error_with_a_plain_text_says_it_in_any_language() -> None:
    assert PalabreError("as it is").text("fr") == str(PalabreError("as it is")) == "as it is"


def test_no_words_are_read_before_somebody_wants_to_read() -> None:
    code = """if True:
        import sys, palabre
        position = palabre.game("awele").start()
        try:
            position.play("X")
        except palabre.core.errors.IllegalMove as error:
            assert "tomllib" not in sys.modules
            assert "one letter" in str(error)
            assert "tomllib" in sys.modules
    """
    subprocess.run([sys.executable, "-c", code], check=True)


def test_words_are_beside_the_files_of_a_game(tmp_path: Path) -> None:
    (tmp_path / "whole").mkdir()
    (tmp_path / "whole" / "__init__.py").touch()
    assert beside(tmp_path / "whole" / "notation.py", "words") == tmp_path / "whole" / "words"
    assert beside(tmp_path / "othello.py", "words") == tmp_path / "othello.words"
    assert beside(tmp_path / "othello.py", "rules.fr.md") == tmp_path / "othello.rules.fr.md"


def test_a_single_file_can_have_words_of_its_own(tmp_path: Path) -> None:
    source = Path(__file__).parents[2] / "examples" / "connect_four.py"
    file = tmp_path / "four.py"
    file.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "four.words").mkdir()
    (tmp_path / "four.words" / "fr.toml").write_text(
        'title = "Puissance 4"\n[button]\ndrop = "lâcher"\n', encoding="utf-8"
    )
    (tmp_path / "four.rules.fr.md").write_text("Alignez quatre jetons !", encoding="utf-8")
    words = palabre.game(str(file)).words("fr")
    assert (words.title, words.rules_page()) == ("Puissance 4", f"Alignez quatre jetons{NARROW}!")
    assert own_words(str(file))("button.drop").text("fr") == "lâcher"


def test_a_game_without_words_is_shown_in_its_own() -> None:
    game = palabre.game(str(Path(__file__).parents[2] / "examples" / "connect_four.py"))
    words = game.words("fr")
    assert (words.title, words.summary) == ("Connect Four", "Drop discs into seven columns; four in a line wins.")
    assert (words.preset_title("standard"), words.preset_summary("standard")) == ("Standard", "The rules.")
    assert (words.counted(3), words.button("drop"), words.player(1)) == ("3 points", "drop", "Joueur 2")
    assert words.rules_page() is None
    assert words.status(game.start()) == "Au joueur 1 de jouer"
    assert words.saying("takes", {"player": 0, "count": 2, "things": "discs", "cells": ["a1"]}) == (
        "Joueur 1 prend 2 discs en a1."
    )


def test_a_game_is_shown_in_the_words_of_the_language() -> None:
    english, french = (registry.words("abalone", language) for language in ("en", "fr"))
    assert [words.preset_title("official") for words in (english, french)] == [
        "The official rules",
        "Règles officielles",
    ]
    assert [words.value("layout", "belgian-daisy") for words in (english, french)] == [
        "Belgian daisy",
        "Marguerite belge",
    ]
    assert (english.parameter_title("turns"), english.player(0), french.player(1)) == (
        "Limit of plies",
        "Black",
        "Blanc",
    )
    assert english.parameter_summary("course", "layout") == "The starting position of the marbles."


def test_official_rules_are_offered_first_though_others_are_the_default() -> None:
    facts = registry.facts("abalone")
    assert [preset.name for preset in facts.listed_presets] == ["official", "course"]
    assert facts.default_preset == "course"


def test_results_and_sayings_name_the_players() -> None:
    words = GameWords(palabre.game("penguins:players=3").module, "fr")
    assert words.result((1.0, 0.0, 0.0)) == "Joueur 1 gagne"
    assert words.result((0.5, 0.0, 0.5)) == "Joueur 1 et Joueur 3 se partagent la victoire"
    assert words.result((0.5, 0.5)) == "Partie nulle"
    assert words.result((0.0, 0.0)) == "Personne ne gagne"
    told = words.saying("takes", {"player": 1, "count": 1, "things": "fish", "cells": ["c5"]})
    assert told == "Joueur 2 prend 1 poisson en c5."


def test_a_folder_without_words_has_no_texts(tmp_path: Path) -> None:
    assert texts(str(tmp_path), "fr") == {}
