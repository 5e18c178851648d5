"""Memory for kernels to read: what is too large, or comes too late, for a `Table`, such as the rows of a net."""

import ctypes
import hashlib
import mmap
from typing import Self


class Memory(int):
    """The address of memory for kernels to read, aligned to its rows, which is kept as long as this number is.

    Compiled code knows the number alone; plain Python reads `halves`, of 16 bits, `words`, of 64, and `reals`, with a
    floating point. The address means nothing to other processes, so it is neither shown nor sent: what is pickled is
    the content. Two of them are equal if their contents are.
    """

    halves: memoryview
    words: memoryview
    reals: "memoryview[float]"
    digest: str  # of the content

    def __new__(cls, content: bytes) -> Self:
        block = mmap.mmap(-1, len(content))  # it begins at a page of memory, so its rows are aligned
        block.write(content)
        made = super().__new__(cls, ctypes.addressof(ctypes.c_char.from_buffer(block)))
        view = memoryview(block).toreadonly()
        made.halves, made.words = view.cast("h"), view.cast("q")
        made.reals = view.cast("d")
        made.digest = hashlib.sha256(content).hexdigest()
        return made

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Memory) and self.digest == other.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def __repr__(self) -> str:
        return f"<memory {self.digest[:16]}>"

    def __reduce__(self) -> tuple[type[Self], tuple[bytes]]:
        return type(self), (bytes(self.halves),)
