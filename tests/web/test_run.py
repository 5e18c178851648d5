"""`palabre play` in the browser, as a person starts it: links, ports, what is printed, and how it ends."""

import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from palabre.core.record import load
from palabre.core.words import say
from palabre.web.limits import Folders
from palabre.web.run import FIRST_PORT, ServerSettings, has_display
from palabre.web.store import open_store
from tests import take_away
from tests.command import COMMAND, PATIENCE, end, environment, palabre, wait_until
from tests.laws.zoo import BROKEN, edited
from tests.sentences import tells
from tests.web.browsing import Browser, Refusal
from tests.web.serving import http_reply

pytestmark = pytest.mark.processes

LINK = re.compile(r"(https?)://([^/:\s]+):?(\d*)(/enter\?token=\S+)")
MOST_MODULES = 1000  # Python's own and those of others included
PATIENT = "from palabre.web import run; run.SECONDS_TO_CLOSE = 10**6; from palabre.cli.main import run as main; main()"
OURS = Path(__file__).parents[1] / "take_away.py"


class Started:
    """A server that has printed its links."""

    def __init__(self, process: "subprocess.Popen[bytes]", links: int) -> None:
        assert process.stdout is not None
        self.process = process
        self.printed = ""
        while len(LINK.findall(self.printed)) < links:
            line = process.stdout.readline().decode()
            if not line:
                raise AssertionError(self.printed + (process.stderr.read().decode() if process.stderr else ""))
            self.printed += line
        self.links: list[str] = [match[3] for match in LINK.findall(self.printed)]
        self.port = int(LINK.findall(self.printed)[0][2] or 0)

    @property
    def link(self) -> str:
        """The operator's."""
        return self.links[-1]

    def more(self) -> str:
        """The next line."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().decode()


@contextmanager
def started(
    *arguments: str, data: Path, links: int = 1, program: Sequence[str] = (COMMAND,), **settings: str
) -> Iterator[Started]:
    """`palabre play` on a machine without a display, until the block ends."""
    with subprocess.Popen(
        [*program, "play", *arguments, "--data", str(data)],
        env={**environment(), "DISPLAY": "", "WAYLAND_DISPLAY": "", "BROWSER": "", **settings},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        try:
            yield Started(process, links)
        finally:
            process.kill()


def test_the_page_is_served_by_few_modules(tmp_path: Path) -> None:
    """Most of the time to start goes into loading them; benchmarks/page.py measures the time itself."""
    code = (
        "import sys; from pathlib import Path; from palabre.web import run; from palabre.cli.main import run as main\n"
        "tell_links = run._print_links\n"
        "def told(*arguments): print(len(sys.modules), flush=True); tell_links(*arguments)\n"
        "run._print_links = told\n"
        "main()"
    )
    with started("--port", "0", data=tmp_path / "games", program=(sys.executable, "-c", code)) as server:
        assert int(server.printed.split()[0]) < MOST_MODULES
        entered = http_reply(server.port, server.link)
        page = http_reply(server.port, entered.headers["Location"], cookie=entered.cookie)
    assert (entered.status, page.status) == (303, 200)
    assert "<html" in page.text


def test_links_are_renewed_and_ctrl_c_ends_it(tmp_path: Path) -> None:
    file = tmp_path / "games"
    with started("--port", "0", data=file) as server:
        assert "works once" in server.printed
        assert http_reply(server.port, server.link).status == 303
        assert server.more().startswith(str(say("server.link_used", link="")).split("\n")[0])
        assert http_reply(server.port, LINK.findall(server.more())[0][3]).status == 303
        assert http_reply(server.port, server.link).status == 403
        printed, told = end(server.process)
        assert (server.process.returncode, told) == (0, "")
        assert tells(printed.splitlines()[-1], "server.over", file=file)
    open_store(file).close()  # nobody holds it any more


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
@pytest.mark.parametrize("by", [signal.SIGINT, signal.SIGTERM])
def test_whoever_ends_it_as_soon_as_it_has_printed_its_links_sees_no_error(tmp_path: Path, by: signal.Signals) -> None:
    for number in range(4):  # the moment differs
        with started("--port", "0", data=tmp_path / f"games-{number}") as server:
            printed, told = end(server.process, by)
            assert (server.process.returncode, told) == (0, "")
            assert tells(printed.splitlines()[-1], "server.over", file=tmp_path / f"games-{number}")


def test_neither_numpy_nor_numba_is_loaded_in_the_process_of_the_server() -> None:
    code = (
        "import sys; from pathlib import Path; import palabre.cli.browse as browse\n"
        "browse.serve = lambda settings, make_app, tell: make_app\n"
        "browse.browse('awele', None, None, None, None, {}, trust=False, opens_browser=False)\n"
        "print(sorted({'numpy', 'numba', 'scipy', 'pandas'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


@pytest.mark.skipif(sys.platform != "linux", reason="reads which files a process has mapped")
def test_a_server_that_runs_has_neither(tmp_path: Path) -> None:
    with started("awele", "--port", "0", data=tmp_path / "games") as server:
        entered = http_reply(server.port, server.link)
        assert entered.headers["Location"].startswith("/play/")
        mapped = Path(f"/proc/{server.process.pid}/maps").read_text()
        assert "sqlite3" in mapped
        assert "numpy" not in mapped
        assert "llvmlite" not in mapped


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals")
def test_a_second_ctrl_c_ends_it_at_once(tmp_path: Path) -> None:
    """The first one waits for sockets to be closed, here for one whose browser does not answer."""
    with started("--port", "0", data=tmp_path / "games", program=(sys.executable, "-c", PATIENT)) as server:
        host = f"127.0.0.1:{server.port}"
        cookie = http_reply(server.port, server.link).cookie
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as raw:
            key = "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="
            about = f"Host: {host}\r\nOrigin: http://{host}\r\nCookie: {cookie}\r\nConnection: Upgrade\r\n{key}"
            raw.sendall(f"GET /socket HTTP/1.1\r\n{about}\r\n\r\n".encode())
            assert raw.recv(1000).startswith(b"HTTP/1.1 101 ")
            server.process.send_signal(signal.SIGINT)
            assert raw.recv(1000)  # a farewell: it has begun to end
            server.process.send_signal(signal.SIGINT)
            assert server.process.wait(PATIENCE) == 130


def test_without_a_port_the_first_free_one_is_taken(tmp_path: Path) -> None:
    with socket.socket() as other:
        try:
            other.bind(("127.0.0.1", FIRST_PORT))
            other.listen()
        except OSError:
            pass  # somebody else has it: just as well
        with started(data=tmp_path / "games") as server:
            assert FIRST_PORT < server.port < FIRST_PORT + 20


def test_a_second_server_on_the_same_file_says_where_the_first_one_is(tmp_path: Path) -> None:
    with started("--port", "0", data=tmp_path / "games") as server:
        done = palabre("play", "--port", "0", "--data", str(tmp_path / "games"))
        assert done.returncode == 2
        where = say("server.where", address=f"http://127.0.0.1:{server.port}")
        assert tells(done.stderr, "server.in_use", file=tmp_path / "games", where=where)


def test_a_game_named_on_the_command_line_is_opened_for_the_operator_once(tmp_path: Path) -> None:
    file = tmp_path / "games"
    with started(
        *("awele", "--players", "person,palabre:level=5", "--clock", "5:00+2", "--seed", "7", "--port", "0"), data=file
    ) as server:
        first = http_reply(server.port, server.link).headers["Location"]
        server.more()
        assert http_reply(server.port, LINK.findall(server.more())[0][3]).headers["Location"] == "/"
        end(server.process)
    store = open_store(file)
    [kept] = store.rooms()
    assert f"/play/{kept.row.room}" == first
    assert [(seat.who, seat.bot) for seat in kept.row.seats] == [("person", ""), ("bot", "palabre:level=5")]
    assert (kept.row.clock, kept.row.seed, kept.row.start, kept.plies) == ((300.0, 2.0), 7, None, 0)
    store.close()


def test_a_game_on_record_goes_on_with_its_moves(tmp_path: Path) -> None:
    games, file = tmp_path / "games.txt", tmp_path / "games"
    played = palabre("play", "--terminal", "awele", "--players", "random,random", "--record", str(games), "--seed", "3")
    assert played.returncode == 0
    with started(f"{games}#1@5", "--players", "person,person", "--port", "0", data=file) as server:
        http_reply(server.port, server.link)
        end(server.process)
    store = open_store(file)
    kept = store.room(store.rooms()[0].row.room)
    assert kept is not None
    assert [move for move, _ in kept.moves] == list(load(games)[0].moves[:5])
    store.close()


def test_a_game_from_somebodys_file_is_offered_alone(tmp_path: Path) -> None:
    file = tmp_path / "games"
    with started(str(OURS), "--players", "person,random", "--port", "0", data=file) as server:
        http_reply(server.port, server.link)
        end(server.process)
    store = open_store(file)
    assert store.rooms()[0].row.game == "tests/take_away.py"
    store.close()
    assert list(Folders(games=(OURS,)).game_files()) == ["tests/take_away.py"]


def test_broken_games_of_a_folder_keep_nothing_else_from_being_offered(tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    before, after, told = BROKEN["too few codes"]
    texts = {
        "lawless.py": edited(before, after),
        "unloadable.py": "GAME = 1 / 0",
        "fine.py": take_away.source(),
        "helper.py": "WORDS = 1",  # no game, and nobody says that it is one
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    with started(
        "--host", "0.0.0.0", "--port", "0", "--games", str(folder), data=tmp_path / "games", links=3
    ) as server:
        player, _, operator = server.links
        entries = []
        for link in (operator, player):
            browser = Browser(server.port, http_reply(server.port, link).cookie)
            entries.append({entry["name"]: entry.get("broken") for entry in browser.ask("Catalogue")})
            for name in ("mine/lawless.py", "mine/unloadable.py"):
                with pytest.raises(Refusal):
                    browser.ask("Choices", game=name)
            browser.close()
        printed = end(server.process)[1]
    mine = [{name: why for name, why in one.items() if name.startswith("mine/")} for one in entries]
    assert list(mine[0]) == ["mine/fine.py", "mine/lawless.py", "mine/unloadable.py"]
    assert tells(mine[0]["mine/lawless.py"], "first_use.broken", game="mine/lawless.py")
    assert told.is_in(mine[0]["mine/lawless.py"])
    assert tells(mine[0]["mine/unloadable.py"], "spec.unloadable", file="mine/unloadable.py")
    assert "ZeroDivisionError" in mine[0]["mine/unloadable.py"]
    assert mine[1] == {"mine/fine.py": ""}  # others see what they can play
    assert tells(printed, "option.not_offered")
    assert told.is_in(printed)


def test_with_a_host_guests_get_links_of_their_own_and_the_risk_is_told(tmp_path: Path) -> None:
    with started("--host", "0.0.0.0", "--guests", "1", "--port", "0", data=tmp_path / "games", links=3) as server:
        assert tells(server.printed, "server.public")
        assert tells(server.printed, "server.unencrypted")
        player, watcher, operator = server.links
        mine, theirs = http_reply(server.port, operator).cookie, http_reply(server.port, watcher).cookie
        assert http_reply(server.port, player).status == 403  # one guest was expected
        end(server.process)
    for options, status in (((), 200), (("--forget-guests",), 403)):
        with started("--port", str(server.port), *options, data=tmp_path / "games") as again:
            assert http_reply(again.port, "/", cookie=mine).status == 200
            assert http_reply(again.port, "/", cookie=theirs).status == status
            end(again.process)


def test_behind_a_proxy_it_goes_by_the_proxys_name(tmp_path: Path) -> None:
    with started("--name", "games.example", "--port", "0", data=tmp_path / "games", links=3) as server:
        assert tells(server.printed, "server.runs", address="https://games.example")
        assert not tells(server.printed, "server.unencrypted")
        port = int(re.findall(r"here it is port (\d+)", server.printed)[0])
        assert tells(server.printed, "server.behind", port=port)
        forwarded = {"Host": "games.example", "X-Forwarded-Proto": "https"}
        entered = http_reply(port, server.link, headers=forwarded)
        assert entered.headers["Set-Cookie"].endswith("; Secure")
        assert http_reply(port, "/", headers=forwarded, cookie=entered.cookie).status == 200
        own = {**forwarded, "Origin": "https://games.example"}
        foreign = {**forwarded, "Origin": "http://games.example"}
        assert http_reply(port, "/", method="POST", headers=own, cookie=entered.cookie).status == 405  # nothing to post
        assert http_reply(port, "/", method="POST", headers=foreign, cookie=entered.cookie).status == 403
        assert http_reply(port, "/", headers={"Host": "elsewhere.example"}, cookie=entered.cookie).status == 421


@pytest.mark.needs("openssl")
def test_with_tls_the_cookie_is_for_tls_alone(tmp_path: Path) -> None:
    certificate, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    made = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
    subprocess.run([*made, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    with started("--tls", str(certificate), str(key), "--port", "0", data=tmp_path / "games") as server:
        assert server.printed.count("https://127.0.0.1:") == 2
        entered = http_reply(server.port, server.link, certificate=certificate)
        assert entered.headers["Set-Cookie"].startswith(f"__Host-palabre-{server.port}=")
        assert entered.headers["Set-Cookie"].endswith("; Secure")
        assert http_reply(server.port, "/", cookie=entered.cookie, certificate=certificate).status == 200
        end(server.process)
    named = ("--tls", str(certificate), str(key), "--host", "127.0.0.1", "--name", "games.example", "--port", "0")
    with started(*named, data=tmp_path / "games", links=3) as server:
        assert re.search(r"runs at https://games\.example:\d+\. ", server.printed), "no proxy, so the port is ours"


def test_a_browser_is_opened_with_the_link_where_there_is_a_display(tmp_path: Path) -> None:
    visited = tmp_path / "visited"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {visited}.part; mv {visited}.part {visited}\n')
    browser.chmod(0o755)
    with started("--port", "0", data=tmp_path / "games", BROWSER=f"{browser} %s") as server:
        assert tells(server.printed, "server.opened")
        wait_until(visited.exists)
        assert visited.read_text().strip() == f"http://127.0.0.1:{server.port}{server.link}"
    with started("--no-browser", "--port", "0", data=tmp_path / "games", BROWSER=f"{browser} %s") as server:
        assert tells(server.printed, "server.open")


def test_a_machine_without_a_display_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    assert not has_display()
    monkeypatch.setenv("WAYLAND_DISPLAY", "wayland-0")
    assert has_display()


@pytest.mark.parametrize(
    ("arguments", "id", "params"),
    [
        (("--time", "1"), "option.only_terminal", {"option": "time"}),
        (("--record", "x"), "option.only_terminal", {"option": "record"}),
        (("--terminal", "--host", "0.0.0.0"), "option.only_page", {"option": "host"}),
        (("--terminal", "--no-browser"), "option.only_page", {"option": "no-browser"}),
        (("--terminal", "--forget-guests"), "option.only_page", {"option": "forget-guests"}),
        (("--terminal", "--time-limit", "3"), "option.only_page", {"option": "time-limit"}),
        (("--players", "person,random"), "option.needs_game", {"option": "players"}),
        (("nothing",), "spec.no_game", {"name": "nothing"}),
        (("awele", "--players", "person"), "seat.wrong_number", {"given": 1, "game": "awele", "players": 2}),
        (("awele", "--players", "person,persn"), "seat.no_player", {"word": "persn"}),
        (("awele", "--players", "person,ugi:./engine"), "seat.program", {"word": "ugi:./engine"}),
        (("awele", "--position", "x"), "text.parts", {"text": "x", "found": 1, "wanted": 4}),
        (("awele", "--clock", "soon"), "clock.form", {"text": "soon"}),
        (("--games", "no/such/folder"), "path.unreadable", {"path": "no/such/folder"}),
        (("--host", "no.such.host.invalid"), "server.no_address", {"host": "no.such.host.invalid"}),
        (("--host", "192.0.2.1"), "server.none_free", {"host": "192.0.2.1", "port": 8017, "last": 8036}),
        (("--tls", "cert.pem"), "path.unreadable", {"path": "cert.pem"}),
        (("--tls", "no", "such"), "path.unreadable", {"path": "no"}),
    ],
)
def test_what_cannot_be_served_is_told_on_the_command_line(
    tmp_path: Path, arguments: tuple[str, ...], id: str, params: dict[str, object]
) -> None:
    done = palabre("play", *arguments, *(() if "--terminal" in arguments else ("--data", str(tmp_path / "games"))))
    assert done.returncode == 2
    assert tells(done.stderr, id, **params)
    assert len(done.stderr.splitlines()) == 1


def test_a_taken_port_is_told(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = palabre("play", "--port", str(port), "--data", str(tmp_path / "games"))
    assert done.returncode == 2
    assert tells(done.stderr, "server.taken", host="127.0.0.1", port=port, error="Address already in use")


def test_whether_others_can_reach_it() -> None:
    assert [
        host for host in ("127.0.0.1", "::1", "localhost", "127.8.9.1") if ServerSettings(host=host).is_public
    ] == []
    assert all(ServerSettings(host=host).is_public for host in ("0.0.0.0", "::", "192.168.0.7", "games.example"))


def test_requests_that_are_no_http_leave_one_line_in_the_log(tmp_path: Path) -> None:
    with started("--port", "0", data=tmp_path / "games") as server:
        for _ in range(50):
            with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as raw:
                raw.sendall(b"this is no HTTP\r\n\r\n")
                raw.recv(1000)
        _, told = end(server.process)
        assert len(told.splitlines()) == 1
        assert "token" not in told
