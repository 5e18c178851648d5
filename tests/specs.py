"""The variants that game-wide tests go through: each preset, layout and number of players, and odd parameters."""

from palabre.core import registry
from palabre.core.game import Game

ODD = (
    "awele:stop=0,stagnation=30",
    "awele:stop=48",
    "awele:stagnation=1",
    "abalone:suicide=yes",
    "abalone:turns=1",
    "abalone:layout=alien,turns=400,suicide=yes",
    "abalone:official,turns=60",
)
EXAMPLE = "examples/connect_four.py"


def _plain_variants(name: str) -> list[str]:
    """Every preset of a game with every word or number of players it can have."""
    facts = registry.facts(name)
    found = []
    for preset in facts.presets.values():
        found.append(f"{name}:{preset.name}")
        for parameter in preset.parameters.values():
            if isinstance(parameter.choices, tuple) or len(parameter.choices) <= 4:
                found += [f"{name}:{preset.name},{parameter.name}={choice}" for choice in parameter.choices]
    return found


def all_specs() -> list[str]:
    """The canonical specs of all these variants, each once."""
    texts = [spec for name in registry.names() for spec in _plain_variants(name)]
    return list(dict.fromkeys(registry.game(text).spec for text in [*texts, *ODD]))


def all_games() -> list[Game]:
    """The games themselves."""
    return [registry.game(spec) for spec in all_specs()]
