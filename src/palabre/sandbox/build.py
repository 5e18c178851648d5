"""C++ and Java sources of a submission, compiled inside a sandbox of their own."""

import shlex
import subprocess
import weakref
from pathlib import Path

from palabre.bots.submission import Rejected, Submission
from palabre.core.temporary import temporary_folder
from palabre.core.words import say
from palabre.play.failures import Limits
from palabre.play.stacks import BOT
from palabre.sandbox.box import Sandbox
from palabre.sandbox.bubblewrap import Files
from palabre.sandbox.warm import BUILD_SECONDS

BUILD = "/build"  # where a sandbox finds what was compiled
PREFIX = "palabre-build-"  # of the folders with what was compiled
COMPILERS = {
    "c++": "g++ -O2 -std=c++20 -o {build}/bot {sources}",
    # An annotation processor would be the author's own code, run by the compiler.
    "java": "javac -proc:none -d {build} {sources}",
}
RUNS = {
    "c++": "{build}/bot",
    # Without these Java plans for all processors and all memory of the machine.
    "java": "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:-UsePerfData -Xmx{memory}m -cp {build} {main}",
}
ENDINGS = {"c++": ".cpp", "java": ".java"}
JAVA_PART = 0.5  # of the memory that a bot may use, for Java's heap
LONGEST_COMPLAINT = 300  # characters of a compiler's output

_built: dict[str, "Built"] = {}  # by digest


class Built:
    """A folder with what was compiled, which is removed with this object."""

    def __init__(self) -> None:
        home, self._closing = temporary_folder(PREFIX)
        self.folder = home / "build"
        self.folder.mkdir()
        self.folder.chmod(0o777)  # the bot's own user writes to it
        weakref.finalize(self, self._closing.close)


def build(submission: Submission, limits: Limits, *, protected: bool = True) -> Path:
    """The folder with the compiled bot; a `Rejected` has the compiler's errors."""
    if submission.digest not in _built:
        built = Built()
        _compile(submission, built.folder, limits, protected)
        _built[submission.digest] = built
    return _built[submission.digest].folder


def run_command(submission: Submission, place: str, limits: Limits) -> str:
    """The command that runs what was compiled and is found at a place."""
    main = Path(submission.main).with_suffix("").as_posix().replace("/", ".")
    return RUNS[submission.kind].format(build=place, main=main, memory=int(limits.memory * JAVA_PART))


def _compile(submission: Submission, folder: Path, limits: Limits, protected: bool) -> None:
    ending = ENDINGS[submission.kind]
    files = sorted(file.relative_to(submission.folder).as_posix() for file in submission.folder.rglob(f"*{ending}"))
    place = BUILD if protected else str(folder)
    sources = shlex.join(f"./{file}" for file in files)
    words = shlex.split(COMPILERS[submission.kind].format(build=place, sources=sources))
    if protected:
        seen = Files({str(BOT): submission.folder}, {BUILD: folder}, has_programs=True)
        box = Sandbox(limits, seen)
        try:
            code, output = box.run(words, BUILD_SECONDS)
        finally:
            box.close()
    else:
        done = subprocess.run(
            words, cwd=submission.folder, capture_output=True, text=True, timeout=BUILD_SECONDS, check=False
        )
        code, output = done.returncode, done.stdout + done.stderr
    if code != 0:
        errors = [line for line in output.splitlines() if "error" in line] or output.splitlines()
        raise Rejected(
            say("submission.uncompiled", path=submission.source, error=" / ".join(errors)[:LONGEST_COMPLAINT])
        )
