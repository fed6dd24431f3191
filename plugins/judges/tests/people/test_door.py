"""The door of every page for people: who may come in, by which name, and with what."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from playproof.errors import UsageError
from playproof_judges.people.answers import Answer, Query
from playproof_judges.people.door import LARGEST, TRIES, Door, Token, bound
from playproof_judges.people.network import addresses, checked, code

from .runs import Visitor

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Echo:
    """A site that says what it was asked, breaks when told, and remembers what was posted."""

    def __init__(self) -> None:
        self.posted: list[Query] = []

    def get(self, path: str, query: Query, device: str) -> Answer:
        if path == "/breaks":
            raise ValueError("broken")
        return Answer(b"0123456789", "video/webm") if path == "/film" else Answer(f"you asked {path}".encode())

    def post(self, path: str, form: Query, device: str) -> Answer:
        self.posted.append(form)
        return Answer(b"taken")


@contextmanager
def opened() -> Iterator[Door]:
    door = Door("127.0.0.1", 0, Echo(), Token())
    door.start()
    yield door
    door.stop()


@pytest.fixture(scope="module")
def one_door() -> Iterator[Door]:
    with opened() as door:
        yield door


@pytest.fixture
def door(one_door: Door) -> Door:
    one_door.site.posted.clear()
    return one_door


@pytest.fixture
def site(door: Door) -> Echo:
    assert isinstance(door.site, Echo)
    return door.site


@pytest.fixture
def visitor(door: Door) -> Visitor:
    inside = Visitor(door)
    assert inside.enter().text == "you asked /"
    return inside


def test_the_token_lets_in_once_and_becomes_a_cookie(door: Door) -> None:
    stranger = Visitor(door)
    assert stranger.get("/").status == 403
    came = stranger.ask("GET", f"/list?token={door.token.value}")
    assert came.status == 200 and 'content="0;url=/list"' in came.text and door.token.value not in came.text
    cookie = came.headers["Set-Cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie and door.token.value not in cookie
    assert stranger.ask("GET", "/list", headers={"Cookie": cookie.partition(";")[0]}).text == "you asked /list"


@pytest.mark.parametrize("said", ["", "x", "é", "a" * 5000, "%00"])
def test_a_wrong_token_is_403_and_sets_nothing(door: Door, said: str) -> None:
    got = Visitor(door).ask("GET", f"/?token={said}" if said.isascii() else "/?token=%C3%A9")
    assert got.status == 403 and "Set-Cookie" not in got.headers


def test_a_wrong_cookie_is_403(door: Door) -> None:
    token = door.token
    for cookie in (f"{door.cookie}=", f"{door.cookie}={token.value}", f"other={token.cookie}", f"{door.cookie}={token.form}"):
        assert Visitor(door).ask("GET", "/", headers={"Cookie": cookie}).status == 403


def test_a_cookie_that_another_port_added_keeps_nobody_out(visitor: Visitor, door: Door) -> None:
    assert visitor.ask("GET", "/", headers={"Cookie": f"{door.cookie}=forged; a=b; {visitor.cookie}; {door.cookie}=again"}).status == 200


def test_guessing_ends() -> None:
    with opened() as door:
        inside, stranger = Visitor(door), Visitor(door)
        inside.enter()
        assert [stranger.ask("GET", f"/?token={n}").status for n in range(TRIES)] == [403] * TRIES
        assert stranger.ask("GET", f"/?token={door.token.value}").status == 403
        assert inside.get("/").status == 200, "who is in stays in"


@pytest.mark.parametrize("host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:{port}",
                                  "127.0.0.2:{port}", "[::1]:{port}", ""])
def test_another_name_for_us_is_421(visitor: Visitor, door: Door, host: str) -> None:
    for path in ("/", f"/?token={door.token.value}"):
        assert visitor.ask("GET", path, headers={"Host": host.format(port=door.port)}).status == 421


def test_our_own_names_are_known(visitor: Visitor, door: Door) -> None:
    assert visitor.ask("GET", "/", headers={"Host": f"localhost:{door.port}"}).status == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT"])
def test_other_methods_are_405(visitor: Visitor, method: str) -> None:
    assert visitor.ask(method, "/").status == 405


def test_a_form_needs_its_token(visitor: Visitor, site: Echo, door: Door) -> None:
    for token in (b"", b"token=", b"token=x", f"token={door.token.value}".encode(), f"token={door.token.cookie}".encode()):
        assert visitor.ask("POST", "/label", token, FORM).status == 403
    assert not site.posted
    assert visitor.post("/label", {"value": "1"}).text == "taken" and site.posted[0]["value"] == ["1"]


@pytest.mark.parametrize(("headers", "status"), [
    ({"Origin": "https://evil.example"}, 403), ({"Origin": "null"}, 403), ({"Origin": "http://127.0.0.1:1"}, 403),
    ({"Sec-Fetch-Site": "cross-site"}, 403), ({"Sec-Fetch-Site": "same-site"}, 403), ({"Content-Type": "application/json"}, 415),
    ({"Content-Type": "multipart/form-data"}, 415), ({"Content-Length": ""}, 411), ({"Content-Length": "-1"}, 411),
    ({"Content-Length": "nine"}, 411), ({"Content-Length": str(LARGEST + 1)}, 413), ({"Content-Length": "9" * 40}, 413),
    ({"Transfer-Encoding": "chunked"}, 411),
])
def test_a_form_of_another_kind_is_not_taken(visitor: Visitor, site: Echo, headers: dict[str, str], status: int) -> None:
    assert visitor.post("/label", {}, **headers).status == status
    assert not site.posted


def test_a_form_of_ours_says_where_it_comes_from(visitor: Visitor, door: Door) -> None:
    same = {"Origin": f"http://127.0.0.1:{door.port}", "Sec-Fetch-Site": "same-origin"}
    assert visitor.post("/label", {}, **same).status == 200


@pytest.mark.parametrize("fields", [{f"f{n}": "1" for n in range(600)}])
def test_a_form_with_too_many_fields_is_refused(visitor: Visitor, fields: dict[str, str]) -> None:
    assert visitor.post("/label", fields).status == 400


@pytest.mark.parametrize("path", ["http://evil.example/", "*", "evil.example"])
def test_what_is_no_path_of_ours_is_400(visitor: Visitor, path: str) -> None:
    assert visitor.ask("GET", path).status == 400


def test_nobody_is_led_elsewhere(door: Door) -> None:
    got = Visitor(door).ask("GET", f"//evil.example/?token={door.token.value}")
    assert got.status == 400 or 'url=/evil.example/"' in got.text


def test_every_answer_has_the_policy(visitor: Visitor, door: Door) -> None:
    told = [visitor.get("/"), visitor.ask("PUT", "/"), visitor.ask("GET", "/", headers={"Host": "evil.example"}), Visitor(door).get("/"),
            visitor.get("/breaks")]
    for got in told:
        policy = got.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert got.headers["X-Content-Type-Options"] == "nosniff" and got.headers["Cache-Control"] == "no-store"


def test_a_request_that_breaks_the_site_breaks_nothing_else(visitor: Visitor, capfd: pytest.CaptureFixture[str]) -> None:
    got = visitor.get("/breaks")
    assert got.status == 500 and "broken" not in got.text and "ValueError: broken" in capfd.readouterr().err
    assert visitor.get("/").status == 200


@pytest.mark.parametrize(("wanted", "status", "body"), [
    ("bytes=2-4", 206, b"234"), ("bytes=7-", 206, b"789"), ("bytes=-3", 206, b"789"), ("bytes=0-99", 206, b"0123456789"),
    ("bytes=10-", 416, None), ("bytes=4-2", 416, None), ("bytes=a-b", 200, b"0123456789"), ("bytes=0-1,3-4", 200, b"0123456789"),
    ("lines=0-1", 200, b"0123456789"), (f"bytes={'9' * 60}-", 200, b"0123456789"),
])
def test_films_are_sought(visitor: Visitor, wanted: str, status: int, body: bytes | None) -> None:
    got = visitor.ask("GET", "/film", headers={"Range": wanted})
    assert got.status == status and body in (None, got.body)
    if status == 206:
        assert got.headers["Content-Range"].endswith("/10")


def test_head_has_no_body(visitor: Visitor) -> None:
    got = visitor.ask("HEAD", "/film")
    assert (got.status, got.body, got.headers["Content-Length"]) == (200, b"", "10")


@pytest.mark.parametrize("address", ["0.0.0.0", "192.168.0.1", "::", "8.8.8.8", "raters.example", ""])
def test_nothing_but_loopback_is_listened_at(address: str) -> None:
    with pytest.raises(UsageError, match=r"loopback|no IP address"):
        Door(address, 0, Echo(), Token())


def test_loopback_and_what_is_asked_for_by_name_may_be_listened_at() -> None:
    assert bound("127.0.0.1", lan=False) == "127.0.0.1" and bound("0.0.0.0", lan=True) == "0.0.0.0"


def test_our_other_addresses_do_not_answer(door: Door) -> None:
    for address in addresses():
        with pytest.raises(OSError), socket.create_connection((address, door.port), timeout=2):
            pass


def test_a_port_that_is_taken_is_told(door: Door) -> None:
    with pytest.raises(UsageError, match=f"cannot listen at 127.0.0.1, port {door.port}"):
        Door("127.0.0.1", door.port, Echo(), Token())


def test_who_says_nothing_keeps_nobody_waiting(door: Door, visitor: Visitor) -> None:
    with suppress(OSError), socket.create_connection(("127.0.0.1", door.port)) as silent:
        silent.sendall(b"GET / HT")
        assert visitor.get("/").status == 200


@pytest.mark.parametrize("name", ["a b", "x/y", "a:1", "<b>", "", "-a", "é", "a" * 300])
def test_what_is_no_name_of_a_machine_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="--address"):
        checked(name)


def test_an_address_becomes_a_code_to_scan() -> None:
    drawn = code("https://192.168.1.20:8443/?token=abcdefghjkmn").splitlines()
    assert len(drawn) > 14 and code("https://192.168.1.20:8443/?token=abcdefghjkmm") != "\n".join(drawn)
