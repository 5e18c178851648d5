"""What people see who are not inside yet: pages that need nothing else from the server."""

import base64
import hashlib
from html import escape

from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response

from palabre.core.words import DEFAULT, LANGUAGES
from palabre.web.refusal import Refused, in_language

STYLE = (
    ":root{color-scheme:light dark}h1{font-size:1.5rem}"
    "body{font:1.125rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1.5rem}"
)
_DIGEST = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


def door_page(connection: HTTPConnection, refusal: Refused) -> Response:
    """Why a browser is not let in; a page for browsers that want one, a line for everything else."""
    if "text/html" not in connection.headers.get("accept", ""):
        return PlainTextResponse(f"{refusal}\n", 403)
    language = language_of(connection)
    return _page(language, f"<h1>Palabre</h1><p>{escape(refusal.text(language))}</p>", 403)


def bounce_page(connection: HTTPConnection, target: str) -> Response:
    """A page that goes on to another one of ours at once: unlike a redirection, that counts as coming from us."""
    language = language_of(connection)
    onward = f'<meta http-equiv="refresh" content="0; url={escape(target)}">'
    text = in_language("door.moment", language)
    return _page(language, f'<p><a href="{escape(target)}">{escape(text)}</a></p>', 200, onward)


def _page(language: str, body: str, status: int, head: str = "") -> Response:
    text = (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>Palabre</title>'
        f'<meta name="viewport" content="width=device-width"><style>{STYLE}</style>{head}</head>'
        f"<body><main>{body}</main></body></html>"
    )
    return HTMLResponse(text, status, {"Content-Security-Policy": POLICY, "Vary": "Accept-Language"})


def language_of(connection: HTTPConnection) -> str:
    """The first language that the browser prefers and that we speak."""
    for entry in connection.headers.get("accept-language", "").lower().split(","):
        language = entry.strip()[:2]
        if language in LANGUAGES:
            return language
    return DEFAULT
