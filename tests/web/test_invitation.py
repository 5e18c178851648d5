"""Links for others: the address by which they reach the server, and its picture for telephones."""

import re

import pytest

from palabre.web.pictures import qr_code
from tests.web.browsing import serving


def test_a_link_is_drawn_without_anything_that_the_policy_forbids() -> None:
    drawn = qr_code("http://192.168.1.20:8017/join/abcdefghijklmnopqrstuv")
    assert drawn.startswith("<svg")
    assert not re.search(r"style=|<style|<script|href", drawn)
    assert drawn != qr_code("http://192.168.1.20:8017/join/abcdefghijklmnopqrstuw")


def test_a_server_of_this_machine_alone_offers_no_address_and_listens_nowhere_else(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    for host, is_public in (("127.0.0.1", False), ("0.0.0.0", True)):
        with serving(tmp_path_factory.mktemp("server"), HOST=host) as server:
            operator = server.operator()
            invited = operator.ask("Invite", room=operator.open_room("awele", "me", "guest"), seat=1)
            assert invited["path"].startswith("/join/")
            assert bool(invited["address"]) is is_public
            assert bool(invited["qr"]) is is_public
            operator.close()
