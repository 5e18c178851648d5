"""Numba's files, sealed: compiled code is kept with its digest, and not run if that is not its own.

Numba notices a file that is cut short, for it cannot be read. A single bit that has changed in machine code it runs.
"""

import hashlib
import pickle
from typing import Any

from numba.core.caching import IndexDataCacheFile


def seal(dispatcher: Any) -> Any:
    """A dispatcher that keeps its code on disk, now sealed."""
    cache = dispatcher._cache
    locator = cache._impl.locator
    cache._cache_file = SealedFiles(locator.get_cache_path(), cache._impl.filename_base, locator.get_source_stamp())
    return dispatcher


class SealedFiles(IndexDataCacheFile):
    """The files of one kernel."""

    def _save_data(self, name: str, data: Any) -> None:
        content = self._dump(data)
        super()._save_data(name, (hashlib.sha256(content).digest(), content))

    def _load_data(self, name: str) -> Any:
        digest, content = super()._load_data(name)
        if hashlib.sha256(content).digest() != digest:
            raise ValueError("its digest is that of other code")
        return pickle.loads(content)
