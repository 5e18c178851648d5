"""The script that the page's modules become in a report: it does what they do, or is refused."""

import json
import subprocess
from pathlib import Path

import pytest

from palabre.web.report.bundle import STATIC, bundle
from tests.programs import cannot_run
from tools.page import Missing, find

MODULES = {
    "main.js": """\
// @ts-check
/** What is shown. */
import { double as twice, Box } from "./math.js";
import {
  shout,
} from "./text.js";

const LINK = "https://example.org"; // it stays
async function later() {
  return (await import("./late.js")).late();
}
later().then((late) => console.log(shout(twice(new Box(2).size)), late, LINK));
""",
    "math.js": """\
export function double(n) {
  return 2 * n;
}
export class Box {
  constructor(n) {
    this.size = n;
  }
}
""",
    "text.js": """\
import { double } from "./math.js";
export const END = "!";
/** Loud. */
export function shout(n) {
  return `${double(n)}${END}`;
}
""",
    "late.js": "const END = 1;\nexport async function late() {\n  return END;\n}\n",
}


def write(folder: Path, **modules: str) -> Path:
    for name, code in {**MODULES, **{f"{name}.js": code for name, code in modules.items()}}.items():
        (folder / name).write_text(code, encoding="utf-8")
    return folder


def node(script: str) -> str:
    try:
        program = find("node")
    except Missing as missing:
        cannot_run(str(missing))
    done = subprocess.run([program, "-"], input=script, capture_output=True, encoding="utf-8", check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_bundle_does_what_its_modules_do(tmp_path: Path) -> None:
    script = bundle("main.js", write(tmp_path))
    assert node(script) == "8! 1 https://example.org\n"
    assert "What is shown" not in script


@pytest.mark.parametrize(
    "code",
    [
        "export let changing = 1;\n",
        "export default 1;\n",
        "const one = 1;\nexport { one };\n",
        'export * from "./math.js";\n',
        'import * as math from "./math.js";\n',
        'import "./math.js";\n',
        'import lodash from "lodash";\n',
        "const load = (name) => import(name);\n",
        "console.log(import.meta.url);\n",
    ],
)
def test_what_the_bundler_does_not_know_is_refused(tmp_path: Path, code: str) -> None:
    with pytest.raises(ValueError, match=r"math\.js has something that cannot be bundled"):
        bundle("main.js", write(tmp_path, math=code))


def test_modules_that_import_each_other_are_refused(tmp_path: Path) -> None:
    folder = write(tmp_path, math='import { shout } from "./text.js";\nexport const double = shout;\n')
    with pytest.raises(ValueError, match=r"main\.js imports math\.js imports text\.js imports math\.js"):
        bundle("main.js", folder)


@pytest.mark.parametrize("text", ["</script>", "</SCRIPT >", "<!-- "])
def test_a_text_that_would_end_the_script_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(ValueError, match="would end the script"):
        bundle("main.js", write(tmp_path, late=f'export const late = "{text}";\n'))


def test_the_script_of_reports_is_one_that_browsers_can_read() -> None:
    script = bundle("report.js")
    assert node(f"new Function({json.dumps(script)}); console.log('read')") == "read\n"
    assert "main.js" not in script
    assert (STATIC / "report.js").is_file()
