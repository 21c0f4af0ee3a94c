"""A loopback stand-in for the Hugging Face hub: the routes that loading a data set uses.

Each set has commits with files, branches and tags, and a door: who may have it, or how it fails.
"""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Literal, NamedTuple
from urllib.parse import unquote, urlsplit

Door = Literal["open", "private", "gated", "hangs", "drips", "broken", "babbles"]
TOKEN = "hf_a_token_with_access"


@dataclass(frozen=True)
class HubSet:
    """One data set of the stub.

    Attributes:
        commits: Files (path and content) of each commit, by its 40 hex digits.
        refs: Branches and tags; the commit of each.
        door: Who may have it, or how it fails. ``drips`` sends its reply byte by byte, without
            end; ``babbles`` answers with a web page.
    """

    commits: Mapping[str, Mapping[str, bytes]]
    refs: Mapping[str, str]
    door: Door = "open"

    def commit(self, revision: str) -> str | None:
        """Return the commit that a revision means."""
        return revision if revision in self.commits else self.refs.get(revision)


class _Reply(NamedTuple):
    status: int
    body: bytes = b""
    headers: Mapping[str, str] = {}


@dataclass
class HubStub:
    """The running stub.

    Attributes:
        url: What ``HF_ENDPOINT`` is to be.
        sets: Its data sets by id.
        requests: Paths asked for so far.
    """

    url: str
    sets: Mapping[str, HubSet]
    requests: list[str] = field(default_factory=list)


@contextmanager
def serve_hub(sets: Mapping[str, HubSet]) -> Iterator[HubStub]:
    """Serve these sets on a free port of the loopback interface."""
    stop = threading.Event()
    stub = HubStub("", sets)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            stub.requests.append(self.path)
            path = unquote(urlsplit(self.path).path)
            door = _door(stub.sets, path)
            if door == "hangs":
                stop.wait()
                self.close_connection = True
                return
            if door == "drips":
                self._drip()
                return
            reply = _answer(stub.sets, path, self.headers.get("Authorization"))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(reply.body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(reply.body)

        do_HEAD = do_GET  # noqa: N815

        def _drip(self) -> None:
            self.close_connection = True
            self.send_response(200)
            self.send_header("Content-Length", "1000000")
            self.end_headers()
            try:
                while not stop.wait(0.2):
                    self.wfile.write(b" ")
                    self.wfile.flush()
            except OSError:
                pass  # the client has had enough

        def log_message(self, format: str, *args: object) -> None:
            """Keep the terminal quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    stub.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield stub
    finally:
        stop.set()
        server.shutdown()
        server.server_close()
        thread.join()


def _repo(path: str) -> tuple[str, list[str]]:
    """Split a path into the set's id and what follows it."""
    parts = path.strip("/").removeprefix("api/").split("/")
    return "/".join(parts[1:3]), parts[3:]


def _door(sets: Mapping[str, HubSet], path: str) -> Door:
    found = sets.get(_repo(path)[0])
    return found.door if found else "open"


def _answer(sets: Mapping[str, HubSet], path: str, authorization: str | None) -> _Reply:
    """Answer as the hub does."""
    repo, rest = _repo(path)
    found = sets.get(repo)
    refusal = _refusal(found.door if found else "private", authorization)
    if refusal or found is None:
        return refusal or _error(404, "RepoNotFound", "Repository not found")
    revision = rest[1] if len(rest) > 1 else "main"
    commit = found.commit(revision)
    if commit is None:
        return _error(404, "RevisionNotFound", f"Invalid rev id: {revision}")
    files = found.commits[commit]
    if "resolve" in rest:
        return _file(files, "/".join(rest[2:]), commit)
    body = _tree(files) if "tree" in rest else _info(repo, files, commit)
    return _Reply(200, json.dumps(body).encode(), {"Content-Type": "application/json"})


def _refusal(door: Door, authorization: str | None) -> _Reply | None:
    """Return the reply to somebody who may not come in; None for who may."""
    if authorization not in (None, f"Bearer {TOKEN}"):
        return _error(401, "", "Invalid credentials in Authorization header")
    if door == "private" and authorization is None:
        return _error(401, "RepoNotFound", "Repository not found")
    if door == "gated" and authorization is None:
        return _error(401, "GatedRepo", "Access to this set is restricted")
    if door == "broken":
        return _error(503, "", "Service unavailable")
    return _Reply(200, b"<html>Sign in to the network</html>") if door == "babbles" else None


def _info(repo: str, files: Mapping[str, bytes], commit: str) -> dict[str, object]:
    siblings = [{"rfilename": path} for path in files]
    return {"id": repo, "sha": commit, "siblings": siblings, "tags": [], "private": False}


def _tree(files: Mapping[str, bytes]) -> list[dict[str, object]]:
    return [
        {"type": "file", "path": path, "size": len(content), "oid": _oid(content)}
        for path, content in files.items()
    ]


def _file(files: Mapping[str, bytes], path: str, commit: str) -> _Reply:
    if path not in files:
        return _error(404, "EntryNotFound", "Entry not found")
    headers = {"ETag": f'"{_oid(files[path])}"', "X-Repo-Commit": commit}
    return _Reply(200, files[path], headers)


def _oid(content: bytes) -> str:
    return hashlib.sha1(content, usedforsecurity=False).hexdigest()


def _error(status: int, code: str, message: str) -> _Reply:
    headers = {"X-Error-Message": message}
    if code:
        headers["X-Error-Code"] = code
    return _Reply(status, b"", headers)
