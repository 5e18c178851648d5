"""Options that several commands share, as one class: its fields are the options, its methods what follows from them."""

import dataclasses
import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


def with_option_groups(command: Callable[..., Result]) -> Callable[..., Result]:
    """A command as Typer reads it: each parameter that is a dataclass becomes the options that are its fields."""
    signature = inspect.signature(command, eval_str=True)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if dataclasses.is_dataclass(parameter.annotation)
    }
    options: list[inspect.Parameter] = []
    for name, parameter in signature.parameters.items():
        fields = inspect.signature(groups[name], eval_str=True).parameters.values() if name in groups else [parameter]
        options += [field.replace(kind=inspect.Parameter.KEYWORD_ONLY) for field in fields]

    @functools.wraps(command)
    def run(**given: Any) -> Result:
        for name, group in groups.items():
            given[name] = group(**{field.name: given.pop(field.name) for field in dataclasses.fields(group)})
        return command(**given)

    # Typer reads both.
    vars(run)["__signature__"] = signature.replace(parameters=options)
    run.__annotations__ = {option.name: option.annotation for option in options}
    return run
