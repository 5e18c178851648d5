"""Who may do what: one-time links become cookies, and a cookie says which browser it is and what its role is.

There is a secret in front of everything, also on the machine itself: any page that a browser shows, and any program of
another user, could talk to a server on 127.0.0.1. Of every secret only the hash is kept.

    the operator's link       for one browser; a new one is made when it has been used
    links for guests          one for players and one for watchers, for as many browsers as the operator says
    invitations to a seat     for one browser each, counted with the guests; these alone survive a restart of the server
"""

import contextlib
import hashlib
import secrets
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from starlette.requests import HTTPConnection

from palabre.web.refusal import Refused
from palabre.web.store import UNSEEN_DAYS, Browser, Invited, Role, ServerStore

ROLES: tuple[Role, ...] = ("watcher", "player", "operator")  # each may do what those before it may
SECRET_BYTES = 32
CODE_BYTES = 16  # of links, which people copy
ID_BYTES = 9
LONGEST_SECRET = 100  # characters; nothing longer is looked up
COOKIE_SECONDS = int(UNSEEN_DAYS * 86_400)
IN_SCOPE = "palabre.browser"  # where the gate leaves the browser of a connection


def require(browser: Browser, role: Role) -> None:
    """Refuse a browser that has not at least this role."""
    if ROLES.index(browser.role) < ROLES.index(role):
        raise Refused(f"{role}_only")


@dataclass(frozen=True)
class Entered:
    """Who has come in."""

    browser: Browser
    secret: str | None = None  # of the new cookie, for a browser that had none
    path: str | None = None  # which page they see first; None for the one that they asked for


class Access:
    """Secrets and what they are good for.

    `guests` is how many browsers the links for guests and invitations let in. Others can take part: `first_page` says
    which page the first browser of the operator is shown; `on_link_used` is called when their link is used up;
    `on_join` is called with the seat that a browser wants to take, and may raise `Refused`.
    """

    def __init__(self, store: ServerStore, *, guests: int = 0) -> None:
        self.store = store
        self.first_page: Callable[[Browser], str] | None = None
        self.on_link_used: Callable[[], None] = lambda: None
        self.on_join: Callable[[Invited, Browser], None] = lambda invited, browser: None
        self._guests_left = guests
        self._links: dict[bytes, Role] = {}  # by their hashes

    # -------------------------------------------------------------------------------------------------------- links

    def link(self, role: Role) -> str:
        """A path by which a browser gets this role; the one before for the same role is void."""
        code = secrets.token_urlsafe(CODE_BYTES)
        self._links = {known: whose for known, whose in self._links.items() if whose != role} | {hashed(code): role}
        return f"/enter?token={code}"

    def invitation(self, room: str, seat: int) -> str:
        """A path by which a guest takes a seat, once; older ones to the same seat are void."""
        code = secrets.token_urlsafe(CODE_BYTES)
        self.store.add_invitation(hashed(code), Invited(room, seat))
        return f"/join/{code}"

    def enter(self, code: str, browser: Browser | None) -> "Entered":
        """Use a link. A browser that is known stays the same one, with the better of its two roles."""
        link = hashed(code)
        role = self._links.get(link)
        if role is None:
            if browser is None:
                raise Refused("bad_link")
            return Entered(browser)  # perhaps by the link that they have used before
        if role == "operator":
            entered = self._admit(browser, role)
            del self._links[link]
            self.on_link_used()
            first_page, self.first_page = self.first_page, None
            return entered if first_page is None else replace(entered, path=first_page(entered.browser))
        with self._counted(browser, role):
            return self._admit(browser, role)

    def join(self, code: str, browser: Browser | None) -> "Entered":
        """Use an invitation; the browser that has used it comes back to the same room by it."""
        invited = self.store.invitation(hashed(code))
        if invited is None:
            raise Refused("bad_invitation")
        path = f"/play/{invited.room}"
        if invited.taken_by is not None:
            if browser is None or browser.id != invited.taken_by:
                raise Refused("bad_invitation")
            return Entered(browser, path=path)
        with self._counted(browser, "player"):
            entered = self._admit(browser, "player")
            self.on_join(invited, entered.browser)  # if it refuses, the invitation is still good
            self.store.take_invitation(hashed(code), entered.browser.id)
        return replace(entered, path=path)

    @contextlib.contextmanager
    def _counted(self, browser: Browser | None, role: Role) -> Iterator[None]:
        """Count a browser as a guest if the block lets it in with a better role than before, if any more may come."""
        is_new = browser is None or ROLES.index(browser.role) < ROLES.index(role)
        if is_new and self._guests_left == 0:
            raise Refused("too_many_guests")
        yield
        self._guests_left -= is_new

    def _admit(self, browser: Browser | None, role: Role) -> "Entered":
        if browser is None:
            secret = secrets.token_urlsafe(SECRET_BYTES)
            browser = Browser(secrets.token_urlsafe(ID_BYTES), role)
            self.store.add_browser(browser, hashed(secret))
            return Entered(browser, secret)
        if ROLES.index(browser.role) < ROLES.index(role):
            self.store.set_role(browser.id, role)
            browser = replace(browser, role=role)
        return Entered(browser)

    # ------------------------------------------------------------------------------------------------------ cookies

    def browser(self, connection: HTTPConnection) -> Browser | None:
        """Whose request or socket this is; None if it has not been let in."""
        if IN_SCOPE not in connection.scope:
            secret = connection.cookies.get(cookie_name(connection), "")
            known = 0 < len(secret) <= LONGEST_SECRET
            connection.scope[IN_SCOPE] = self.store.browser(hashed(secret)) if known else None
        browser: Browser | None = connection.scope[IN_SCOPE]
        return browser

    def cookie(self, connection: HTTPConnection, secret: str) -> str:
        """The value of a `Set-Cookie` header."""
        secure = "; Secure" if is_secure(connection) else ""
        name = cookie_name(connection)
        return f"{name}={secret}; Path=/; Max-Age={COOKIE_SECONDS}; HttpOnly; SameSite=Strict{secure}"


def hashed(secret: str) -> bytes:
    """What is kept of a secret. It has 128 random bits or more, so a fast hash without salt is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def is_secure(connection: HTTPConnection) -> bool:
    """Whether it comes over TLS."""
    return connection.scope["scheme"] in ("https", "wss")


def cookie_name(connection: HTTPConnection) -> str:
    """The cookie's name. Browsers give all ports of a machine the same cookies, so the port is part of it."""
    server = connection.scope.get("server") or ("", 0)
    return f"{'__Host-' if is_secure(connection) else ''}palabre-{server[1]}"
