"""Write `protocol.d.ts`, the types of the page's messages, from the structs that the server and reports write and read.

    python -m tools.protocol

The modules of the page are checked against these types by `make check`, so that page and server cannot drift apart; a
test says when the file is stale. What answers a request stands in its docstring: "answered by `RoomEntry`s".

A request may leave out fields with defaults. A message has all of its fields, unless its struct omits defaults. Of a
struct that goes both ways there are two types, such as `Place` and `PlaceSent`, which is the one that the page sends.
"""

import inspect
import json
import re
import types
import typing
from pathlib import Path

import msgspec
from msgspec import inspect as schema

from palabre.web import messages, requests
from palabre.web.report import data

FILE = Path(__file__).parent.parent / "src" / "palabre" / "web" / "static" / "protocol.d.ts"
HEAD = """\
// The messages between page and server, and the data of reports, from the structs in requests.py, messages.py and
// report/data.py: python -m tools.protocol rewrites this file. Only the type checker reads it.
"""
SENT = "Sent"  # at the end of the name of what goes both ways
ANSWER = re.compile(r"answered by (?:an? )?`(\w+)`(s?)(, or )?", re.IGNORECASE)
NAMES: dict[type[schema.Type], str] = {
    schema.AnyType: "unknown",
    schema.BoolType: "boolean",
    schema.FloatType: "number",
    schema.IntType: "number",
    schema.NoneType: "null",
    schema.StrType: "string",
}


def text() -> str:
    """The whole file."""
    asked = typing.get_args(requests.AnyRequest)
    parts = [struct for struct in _structs(requests) if not issubclass(struct, requests.Request)]
    told = [*parts, *_structs(messages), *_structs(data)]
    received = {name for struct in _structs(messages) for field in _fields(struct) for name in _names(field.type)}
    both = {name_of(struct) for struct in parts} & received
    pushes = typing.get_args(messages.Push)
    blocks = [
        *(_interface(struct, frozenset()) for struct in told if struct not in parts or name_of(struct) in both),
        *(_interface(struct, both, is_sent=True) for struct in [*parts, *asked]),
        "export type AnyRequest =\n" + "\n".join(f"  | {name_of(struct)}" for struct in asked) + ";\n",
        _map("Results", "What answers requests, by their kinds.", {name_of(each): _answer(each) for each in asked}),
        _map("Pushes", "What the server tells without being asked.", {name_of(each): name_of(each) for each in pushes}),
    ]
    return "\n".join([HEAD, *blocks])


def name_of(struct: type[msgspec.Struct]) -> str:
    """What the page calls a struct: what it is tagged with, or else its name without a `Shown` at the beginning."""
    return str(struct.__struct_config__.tag or struct.__name__.removeprefix("Shown"))


def answer_of(request: type[requests.Request]) -> typing.Any:
    """The type of what answers a request, by its docstring: a struct, a list of one, one or None, or None."""
    found = ANSWER.search(" ".join((request.__doc__ or "").split()))
    if found is None:
        return None
    name, is_list, is_not_all = found.groups()
    struct: typing.Any = getattr(messages, name)
    return types.GenericAlias(list, (struct,)) if is_list else struct | None if is_not_all else struct


def _answer(request: type[requests.Request]) -> str:
    return _type(schema.type_info(answer_of(request)), frozenset())


def _structs(module: types.ModuleType) -> list[type[msgspec.Struct]]:
    """The structs that a module defines, in its order."""
    found = [each for each in vars(module).values() if inspect.isclass(each) and issubclass(each, msgspec.Struct)]
    return [each for each in found if each.__module__ == module.__name__ and each is not requests.Request]


def _fields(struct: type[msgspec.Struct]) -> tuple[schema.Field, ...]:
    found = schema.type_info(struct)
    assert isinstance(found, schema.StructType)
    return found.fields


def _names(kind: schema.Type) -> set[str]:
    """The structs that a type names."""
    if isinstance(kind, schema.StructType):
        return {name_of(kind.cls)}
    if isinstance(kind, schema.ListType):
        return _names(kind.item_type)
    return set().union(*map(_names, kind.types)) if isinstance(kind, schema.UnionType) else set()


def _interface(struct: type[msgspec.Struct], both: typing.AbstractSet[str], is_sent: bool = False) -> str:
    """A struct as an interface. Requests get their numbers from the connection."""
    config = struct.__struct_config__
    may_lack = is_sent or config.omit_defaults
    lines = [f"  {config.tag_field}: {json.dumps(config.tag)};"] if config.tag_field else []
    for field in _fields(struct):
        if field.encode_name != "ask" or not is_sent:
            mark = "?" if may_lack and not field.required else ""
            lines.append(f"  {field.encode_name}{mark}: {_type(field.type, both)};")
    name = name_of(struct) + (SENT if name_of(struct) in both else "")
    about = (struct.__doc__ or "").partition("\n")[0]
    body = "{\n" + "\n".join(lines) + "\n}" if lines else "{}"
    return f"/** {about} */\nexport interface {name} {body}\n"


def _type(kind: schema.Type, both: typing.AbstractSet[str]) -> str:
    """A type, as TypeScript writes it; structs in `both` are those that are sent."""
    if isinstance(kind, schema.StructType):
        return name_of(kind.cls) + (SENT if name_of(kind.cls) in both else "")
    if isinstance(kind, schema.ListType):
        item = _type(kind.item_type, both)
        is_choice = isinstance(kind.item_type, schema.UnionType | schema.LiteralType) and " | " in item
        return f"({item})[]" if is_choice else f"{item}[]"
    if isinstance(kind, schema.TupleType):
        return f"[{', '.join(_type(each, both) for each in kind.item_types)}]"
    if isinstance(kind, schema.DictType):
        return f"Record<{_type(kind.key_type, both)}, {_type(kind.value_type, both)}>"
    if isinstance(kind, schema.LiteralType):
        return " | ".join(json.dumps(each) for each in kind.values)
    if isinstance(kind, schema.UnionType):  # Markup that is encoded already is what it was before.
        found = (_type(each, both) for each in kind.types if not isinstance(each, schema.RawType))
        return " | ".join(dict.fromkeys(found))
    return NAMES[type(kind)]


def _map(name: str, about: str, kinds: dict[str, str]) -> str:
    lines = "".join(f"  {kind}: {found};\n" for kind, found in kinds.items())
    return f"/** {about} */\nexport interface {name} {{\n{lines}}}\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
