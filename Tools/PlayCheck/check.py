"""Tries the page of `zoombench play` as people do, in a headless browser, and its server as no page does.

    check.py ZOOMBENCH PICTURE [--browser CHROMIUM] [--rate] [--soak SECONDS]

Ends with 0 if all is well and 1 with a line for each thing that is not. Needs Python's own library alone.
"""

import argparse
import base64
import json
import math
import os
import pathlib
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from browser import Browser  # noqa: E402

SYSTEMS = ["peek", "fullscreen", "force", "double-tap", "transition"]
failures = []
# The token of the server at each port.
tokens = {}


def expect(condition, text):
    print(("ok      " if condition else "NOT OK  ") + text, flush=True)
    if not condition:
        failures.append(text)


class Server:
    """A running `zoombench play`."""

    def __init__(self, zoombench, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [zoombench, "play", "--port", "0", *arguments], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": self.folder.name})
        line = self.process.stdout.readline()
        if not line.startswith("press on "):
            raise RuntimeError("the server did not start")
        self.address = line.split()[2]
        self.port = int(self.address.split(":")[2].split("/")[0])
        self.token = self.address.split("token=")[1].split("#")[0]
        tokens[self.port] = self.token

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(20)
        left = os.listdir(self.folder.name)
        expect(not left, f"the server ends when asked to, and no file is left {' '.join(left)}".rstrip())
        self.folder.cleanup()

    def memory(self):
        """Kilobytes that stay in memory."""
        with open(f"/proc/{self.process.pid}/status") as file:
            return int(file.read().split("VmRSS:")[1].split()[0])


# ---- The page ----

PREPARE = """
window.seen = [];
const put = frames.put;
frames.put = async function (header, data, start) { await put.call(this, header, data, start); seen.push(header); };
window.digest = async (pixels) => {
  const hash = await crypto.subtle.digest("SHA-256", pixels);
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
};
window.canvasDigest = (index) => {
  const canvas = panels.shown[index].canvas;
  return digest(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data);
};
window.pngDigest = async (base64) => {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]), { colorSpaceConversion: "none" });
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { alpha: false });
  context.drawImage(bitmap, 0, 0);
  return digest(context.getImageData(0, 0, canvas.width, canvas.height).data);
};
window.shownAt = async (moment) => {
  const before = seen.length;
  show(moment);
  for (let i = 0; i < 1000 && !seen.slice(before).some((header) => header.moment === moment); i++)
    await new Promise((done) => setTimeout(done, 5));
  return seen.slice(before).find((header) => header.moment === moment) ?? null;
};
"""


def opened(browser, address):
    browser.open("about:blank")
    browser.open(address)
    browser.wait("typeof frames.put === 'function' && !!frames.latest")
    browser.run(PREPARE + "; undefined")


def place(browser):
    return browser.run(
        "(() => { const box = panels.shown[0].canvas.getBoundingClientRect();"
        " return [box.x, box.y]; })()")


def gesture(browser, system, way):
    """Presses as the system asks for, by touch, pen or mouse."""
    left, top = place(browser)
    x, y = left + 180, top + 330
    tick = 1 / 60

    def tap(x, y):
        if way == "touch":
            # Not waited for: a browser that looks for its own gestures answers late.
            browser.touch("touchStart", [(1, x, y, 0.3)], wait=False)
            time.sleep(0.05)
            browser.touch("touchEnd", [], wait=False)
        else:
            browser.mouse("mousePressed", x, y, 0.3, pen=way == "pen")
            time.sleep(0.05)
            browser.mouse("mouseReleased", x, y, pen=way == "pen")

    if system in ("peek", "force"):
        if way == "touch":
            browser.touch("touchStart", [(1, x, y, 0.1)])
            for step in range(20):
                browser.touch("touchMove", [(1, x + step, y - step, 0.1 + step / 40)])
                time.sleep(tick)
            browser.touch("touchEnd", [])
        elif way == "pen":
            browser.mouse("mousePressed", x, y, 0.05, pen=True)
            for step in range(20):
                browser.mouse("mouseMoved", x + step, y - step, 0.05 + step / 30, pen=True)
                time.sleep(tick)
            browser.mouse("mouseReleased", x + 19, y - 19, pen=True)
        else:
            browser.mouse("mousePressed", x, y)
            time.sleep(0.7)
            browser.mouse("mouseMoved", x + 20, y + 10)
            time.sleep(0.1)
            browser.mouse("mouseReleased", x + 20, y + 10)
    elif system == "fullscreen":
        tap(x, y)
        time.sleep(0.4)
        browser.run("turn()")
        time.sleep(0.4)
        tap(x, y)
    elif system == "double-tap":
        tap(x, y)
        time.sleep(0.06)
        tap(x, y)
        time.sleep(0.5)
        browser.mouse("mousePressed", x, y)
        for step in range(15):
            browser.mouse("mouseMoved", x - 6 * step, y - 4 * step)
            time.sleep(tick)
        browser.mouse("mouseReleased", x - 90, y - 60)
    else:
        # The thumbnail's usual place, then a pinch of two fingers.
        thumbnail = browser.run(
            "(() => { const own = frames.latest.panels[0].outlines[0];"
            " return [(own[0] + own[4]) / 2, (own[1] + own[5]) / 2]; })()")
        tap(left + thumbnail[0], top + thumbnail[1])
        time.sleep(0.8)
        if way == "mouse":
            browser.mouse("mousePressed", x - 60, y - 60, modifiers=8)
            for step in range(15):
                browser.mouse("mouseMoved", x - 60 - 4 * step, y - 60 - 4 * step)
                time.sleep(tick)
            browser.mouse("mouseReleased", x - 120, y - 120)
        else:
            browser.touch("touchStart", [(1, x - 40, y - 40, 0.3), (2, x + 40, y + 40, 0.3)])
            for step in range(15):
                browser.touch("touchMove", [
                    (1, x - 40 - 4 * step, y - 40 - 4 * step, 0.3),
                    (2, x + 40 + 4 * step, y + 40 + 4 * step, 0.3)])
                time.sleep(tick)
            browser.touch("touchEnd", [])
    time.sleep(0.4)
    browser.wait("!frames.latest.isMoving", 10)


def check_systems(browser, server, zoombench, picture):
    """All systems, both forms, by all kinds of pointers: what was seen live is what replay draws."""
    ways = {"peek": "pen", "fullscreen": "touch", "force": "mouse", "double-tap": "touch",
            "transition": "touch"}
    for system in SYSTEMS:
        for form in ["corrected", "original"]:
            way = ways[system] if form == "corrected" else "mouse"
            opened(browser, f"{server.address}#system={system}&show={form}")
            browser.run("panels.shown.length && live(); seen.length = 0; undefined")
            browser.wait("seen.length > 0")
            gesture(browser, system, way)
            live = browser.run(
                "JSON.stringify(seen.map((own) => [own.time, own.recogniser, own.force,"
                " own.panels[0].outlines, own.events]))")
            live = json.loads(live)
            # What was drawn of the system before is not of this one.
            first = max((i for i in range(1, len(live)) if live[i][0] < live[i - 1][0]), default=0)
            live = live[first:]
            script = browser.run(
                "new Promise((done) => recording((script) => done(JSON.stringify(script))))")
            with tempfile.TemporaryDirectory() as folder:
                file = f"{folder}/gesture.json"
                with open(file, "w") as out:
                    out.write(script)
                # The frames of the script on the page and on the disk.
                browser.run("playScript({ recorded: true }); undefined")
                browser.wait("state.mode === 'script' && frames.latest.moment !== undefined")
                arguments = [zoombench, "replay", file, picture, "--system", system, "-o",
                             f"{folder}/frames", "--quiet"]
                subprocess.run(arguments + (["--original"] if form == "original" else []),
                               check=True, stdout=subprocess.DEVNULL)
                with open(f"{folder}/frames/states.json") as states:
                    moments = json.load(states)["moments"]
                check_states(system, form, way, live, moments)
                check_frames(browser, f"{system} {form}", moments, folder)


def check_states(system, form, way, live, moments):
    """What was seen live are states of the recorded script."""
    times = [moment["time"] for moment in moments]
    wrong = 0
    for moment, recogniser, force, outlines, _ in live:
        index = max((i for i, time in enumerate(times) if time <= moment + 1e-9), default=0)
        state = moments[index]["rows"][0]["state"]
        if (state["recogniser"], state["force"]) != (recogniser, force):
            wrong += 1
    told = [event for own in live for event in own[4]]
    replayed = [event for own in moments for event in own["rows"][0]["state"]["events"]]
    expect(
        wrong == 0 and len(live) > 3,
        f"{system} {form} by {way}: {len(live)} states seen live, {wrong} not those of the replay")
    expect(told == replayed, f"{system} {form}: it tells {told}, the replay {replayed}")


def check_frames(browser, name, moments, folder):
    """A dozen frames, byte for byte."""
    times = json.loads(browser.run("JSON.stringify(state.timeline.times)"))
    same = looked = 0
    chosen = range(0, len(moments), max(1, len(moments) // 12))
    for index in chosen:
        moment = min(range(len(times)), key=lambda i: abs(times[i] - moments[index]["time"]))
        with open(f"{folder}/frames/{moments[index]['file']}", "rb") as file:
            png = base64.b64encode(file.read()).decode()
        shown = browser.run(f"shownAt({moment}).then((header) => header && canvasDigest(0))")
        looked += 1
        same += shown is not None and shown == browser.run(f"pngDigest('{png}')")
    expect(same == looked, f"{name}: {same} of {looked} frames are replay's, byte for byte")


def check_counterexamples(browser, server, zoombench):
    """A counterexample of each system opens at the step where it goes wrong."""
    report = subprocess.run(
        [zoombench, "verify", "--original", "--cases", "300", "--seed", "3", "--quiet", "--format",
         "json"], stdout=subprocess.PIPE, text=True)
    rows = json.loads(report.stdout)["laws"]
    for system in SYSTEMS:
        found = [
            (row, breach) for row in rows for breach in row["breaches"]
            if breach.get("play") and row["subject"] == f"{system} original"]
        if not found:
            expect(False, f"{system}: no counterexample can be played")
            continue
        row, breach = found[0]
        opened_at = f"{server.address}#law={row['law']}&subject={system}%20original"
        if breach.get("token"):
            opened_at += f"&replay={breach['token']}"
        browser.open("about:blank")
        browser.open(opened_at)
        browser.wait("typeof frames.put === 'function' && !!frames.latest && state.timeline"
                     " && frames.latest.moment === state.timeline.opening")
        try:
            browser.wait(
                "[" + ", ".join(json.dumps(text) for text in (row["statement"], breach["complaint"]))
                + "].every((text) => document.getElementById('law').textContent.includes(text))", 5)
            expect(True, f"{system}: {row['law']} opens at step {browser.run('state.moment')}"
                   " with the law in words")
        except RuntimeError:
            expect(False, f"{system}: {row['law']} opens with the law in words")
        try:
            browser.wait("frames.latest.panels.length === 2"
                         " && document.querySelectorAll('#panels polygon').length >= 2", 5)
            expect(True, f"{system}: what was expected is drawn over both")
        except RuntimeError:
            expect(False, f"{system}: what was expected is drawn over both")


def check_example(browser, zoombench, picture, folder):
    """The example's page shows frames and follows a press; an origin that is not named is refused."""
    import functools
    import http.server

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    pages = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{pages.server_address[1]}"
    for allowed in [True, False]:
        arguments = ["--allow-origin", origin] if allowed else []
        with Server(zoombench, picture, *arguments) as server:
            browser.open("about:blank")
            browser.open(f"{origin}/?server=ws://127.0.0.1:{server.port}/session?token={server.token}")
            if not allowed:
                browser.wait("typeof told !== 'undefined' && told.textContent.includes('not there')")
                expect(True, "the example's page is refused where its origin is not named")
                continue
            browser.wait("typeof told !== 'undefined' && told.textContent === 'possible'")
            place = browser.run(
                "(() => { const box = canvas.getBoundingClientRect(); return [box.x, box.y]; })()")
            browser.mouse("mousePressed", place[0] + 150, place[1] + 240)
            browser.wait("told.textContent.startsWith('began') || told.textContent.startsWith('changed')", 5)
            browser.mouse("mouseReleased", place[0] + 150, place[1] + 240)
            expect(True, "the example's page peeks while it is pressed")
    pages.shutdown()


# ---- What no page does ----

def handshake(port, path="/session", host=None, origin=None, extra="", token=True):
    if token:
        path += f"?token={tokens[port]}"
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    host = host or f"127.0.0.1:{port}"
    lines = [f"GET {path} HTTP/1.1", f"Host: {host}", "Upgrade: websocket", "Connection: Upgrade",
             "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Version: 13"]
    if origin:
        lines.append(f"Origin: {origin}")
    connection.sendall(("\r\n".join(lines) + "\r\n" + extra + "\r\n").encode())
    status = b""
    try:
        while b"\r\n\r\n" not in status:
            part = connection.recv(4096)
            if not part:
                break
            status += part
    except OSError:
        pass
    return connection, int(status.split()[1]) if status.startswith(b"HTTP/") else 0


def frame(payload, opcode=1, final=True):
    mask = os.urandom(4)
    length = len(payload)
    head = bytes([(128 if final else 0) | opcode])
    if length < 126:
        head += bytes([128 | length])
    elif length < 65536:
        head += bytes([128 | 126]) + struct.pack(">H", length)
    else:
        head += bytes([128 | 127]) + struct.pack(">Q", length)
    return head + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


def request(port, text):
    connection = socket.create_connection(("127.0.0.1", port), timeout=15)
    connection.sendall(text)
    answer = b""
    try:
        while True:
            part = connection.recv(65536)
            if not part:
                break
            answer += part
    except OSError:
        pass
    return answer


def drain(connection, seconds=1.0):
    """Reads what comes for a while; says whether the connection is still open."""
    connection.settimeout(0.2)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if not connection.recv(1 << 20):
                return False
        except TimeoutError:
            continue
        except OSError:
            return False
    return True


def check_links(browser, server):
    """Links of reports, which have no token, open in a browser that has opened the printed address."""
    opened(browser, f"{server.address}#system=peek&show=corrected")
    opened(browser, f"http://127.0.0.1:{server.port}/#system=fullscreen&show=corrected")
    expect(browser.run("document.getElementById('system').value") == "fullscreen",
           "a link without the token opens where the page was opened with it")
    browser.open("about:blank")
    browser.open(f"http://localhost:{server.port}/")
    browser.wait("(document.getElementById('status')?.textContent ?? '').includes('has printed')")
    expect(True, "a page without the token says what to do")


def check_bad_clients(browser, server):
    """Whatever one client does, the page of another goes on."""
    opened(browser, f"{server.address}#system=peek&show=corrected")
    left, top = place(browser)
    port = server.port
    before = server.memory()

    def page_goes_on(what):
        number = browser.run("frames.latest.number")
        browser.mouse("mousePressed", left + 100, top + 300, 0.3, pen=True)
        browser.mouse("mouseMoved", left + 120, top + 310, 0.4, pen=True)
        browser.mouse("mouseReleased", left + 120, top + 310, pen=True)
        try:
            browser.wait(f"frames.latest.number > {number}", 10)
            expect(True, f"{what}: the page of another goes on")
        except RuntimeError:
            expect(False, f"{what}: the page of another goes on")

    for what, arguments, wanted in [
            ("a foreign Origin", dict(origin="http://example.org"), 403),
            ("a foreign Host", dict(host="example.org"), 403),
            ("the Host of another name with the port", dict(host=f"evil.test:{port}"), 403),
            ("an Origin of another port", dict(origin="http://127.0.0.1:1"), 403),
            ("a session without the token", dict(token=False), 403)]:
        connection, status = handshake(port, **arguments)
        expect(status == wanted, f"{what} is refused with {wanted}: {status}")
        connection.close()
    for path, wanted in [("/../../etc/passwd", 404), ("/%2e%2e/%2e%2e/etc/passwd", 404),
                         ("/session/..", 404), ("/page.js", 404)]:
        answer = request(port, f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        expect(answer.split()[1:2] == [str(wanted).encode()], f"GET {path} is answered with {wanted}")
    answer = request(port, f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: 0\r\n\r\n".encode())
    expect(answer.split()[1:2] == [b"405"], "POST is answered with 405")
    answer = request(port, b"GET / HTTP/1.1\r\nX: " + b"a" * (1 << 20) + b"\r\n\r\n")
    expect(b" 200 " not in answer[:20], "a head of a megabyte is refused")

    answer = request(port, f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
    expect(answer.split()[1:2] == [b"200"] and b"ookie" not in answer.split(b"\r\n\r\n")[0],
           "the page alone needs no token and sets no cookie")

    connection, status = handshake(port)
    expect(status == 101, f"a session without an Origin, as of a program, is let in: {status}")
    for number in range(1000):
        connection.sendall(frame(os.urandom(number % 200), opcode=1 + number % 2))
    drain(connection, 0.5)
    page_goes_on("1,000 garbage messages")
    scene = {"picture": 0, "system": "peek", "screen": {"width": 375, "height": 667, "scale": 2}}
    view = {"panels": [{"form": "corrected", "source": "automatic"}]}
    for message in [
            {"live": scene}, {"view": view}, {"show": 10 ** 9}, {"show": -1},
            {"live": {**scene, "picture": 99}}, {"live": {**scene, "screen": {"width": 1e9, "height": 1}}},
            {"live": {**scene, "stage": {"view": {"x": 1e308, "y": 0, "width": 1, "height": 1}}}},
            {"view": {"panels": []}}, {"view": {"panels": view["panels"] * 50}},
            {"view": {"panels": [{"form": "corrected", "source": "../x"}]}}, {"shown": 10 ** 18},
            {"events": {"number": 1, "sent": 1e300, "events": [
                {"time": -5, "phase": "moved", "touches": [{"id": 7, "x": 1e9, "y": 0}]}]}},
            {"save": "../../x"}, {"play": {"picture": 0, "system": "peek", "name": "no such"}},
            {"counterexample": {"law": "FZ-P1", "subject": "peek original", "token": "pt1_x"}}]:
        connection.sendall(frame(json.dumps(message).encode()))
    drain(connection, 0.5)
    page_goes_on("frames and scripts asked for that there are not")
    connection.close()

    connection, _ = handshake(port)
    connection.sendall(frame(json.dumps({"view": view}).encode()))
    connection.sendall(frame(json.dumps({"live": scene}).encode()))
    stop = time.monotonic() + 3
    count = 0
    move = frame(json.dumps({"events": {"number": 1, "sent": 0.0, "events": [
        {"time": 0, "phase": "began", "touches": [{"id": 1, "x": 1, "y": 1, "force": 1}]}]}}).encode())
    connection.setblocking(False)
    waiting = b""
    while time.monotonic() < stop:
        waiting = waiting or move * 100
        try:
            sent = connection.send(waiting)
            waiting = waiting[sent:]
            count += sent
        except BlockingIOError:
            time.sleep(0.001)
        except OSError:
            break
    page_goes_on(f"a flood of {count // len(move)} messages that is never read from")
    connection.close()

    connection, _ = handshake(port)
    connection.sendall(bytes([0x81, 255]) + struct.pack(">Q", 1 << 40) + b"abcd" + b"x" * 1000)
    expect(not drain(connection, 3), "a message of a terabyte is refused")
    connection, _ = handshake(port)
    for _ in range(200):
        try:
            connection.sendall(frame(b"x" * 100_000, opcode=1 if _ == 0 else 0, final=False))
        except OSError:
            break
    expect(not drain(connection, 3), "a message of endless parts is refused")
    half, _ = handshake(port)
    half.shutdown(socket.SHUT_WR)
    page_goes_on("a socket closed by half")
    half.close()

    slow = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(100)]
    for connection in slow:
        try:
            connection.sendall(b"GET / HTTP/1.1\r\n")
        except OSError:
            pass
    time.sleep(0.5)
    page_goes_on("100 connections that say nothing more")
    open_after = sum(drain(connection, 0.2) for connection in slow)
    expect(open_after < 70, f"of 100 connections {open_after} are let in")
    time.sleep(11)
    left_open = sum(drain(connection, 0.1) for connection in slow)
    expect(left_open == 0, f"of those that say nothing for ten seconds {left_open} are left")
    for connection in slow:
        connection.close()
    slow = [socket.create_connection(("127.0.0.1", port), timeout=10) for _ in range(50)]
    for _ in range(13):
        for connection in slow:
            try:
                connection.sendall(b"G")
            except OSError:
                pass
        time.sleep(1)
    left_open = sum(drain(connection, 0.05) for connection in slow)
    expect(left_open == 0, f"of those that say a byte each second {left_open} are left after 13 s")
    for connection in slow:
        connection.close()
    many = [handshake(port) for _ in range(12)]
    let_in = sum(drain(connection, 0.2) for connection, status in many if status == 101)
    expect(let_in <= 8, f"of 12 more sessions {let_in} are let in")
    silent = [connection for connection, status in many if status == 101]
    time.sleep(45)
    # The browser answers the server's pings, and these do not.
    still = sum(drain(connection, 0.2) for connection in silent)
    expect(still == 0, f"of {len(silent)} silent sessions {still} are left after 45 s")
    for connection, _ in many:
        connection.close()
    connection, status = handshake(port)
    expect(status == 101, "another session is let in then")
    connection.close()
    time.sleep(1)
    page_goes_on("12 more sessions")
    grown = server.memory() - before
    expect(grown < 300_000, f"memory has grown by {grown // 1000} MB")


# ---- How fast it is ----

def check_rate(browser, server, seconds, is_soak=False):
    """One finger moving at 60 Hz: frames a second, and the time from event to pixels."""
    opened(browser, f"{server.address}#system=peek&show=corrected")
    left, top = place(browser)
    browser.mouse("mousePressed", left + 187, top + 333, 0.5, pen=True)
    browser.run("window.painted = 0; const paint = frames.show;"
                "frames.show = function () { painted += 1; paint.call(this); }; undefined")
    time.sleep(1)
    browser.run("painted = 0; window.began = performance.now(); undefined")
    start = time.monotonic()
    number = 0
    memory = []
    while time.monotonic() - start < seconds:
        angle = number / 40
        browser.mouse("mouseMoved", left + 187 + 120 * math.sin(angle),
                      top + 333 + 150 * math.cos(1.3 * angle), 0.5, pen=True, wait=False)
        number += 1
        if number % 600 == 0:
            memory.append(server.memory())
        late = start + number / 60 - time.monotonic()
        if late > 0:
            time.sleep(late)
    rate = browser.run("painted / (performance.now() - began) * 1000")
    server_time, glass = browser.run("[median(figures.server), median(figures.glass)]")
    browser.mouse("mouseReleased", left + 187, top + 333, pen=True)
    print(f"        {rate:.1f} frames a second, event to pixels {server_time:.1f} ms, to the screen"
          f" {glass:.1f} ms (medians), {server.memory() // 1000} MB")
    if is_soak:
        expect(max(memory[len(memory) // 2:]) <= 1.05 * max(memory[:len(memory) // 2]) + 5000,
               f"memory is flat: {memory[0] // 1000} MB at first, {memory[-1] // 1000} MB at last,"
               f" at most {max(memory) // 1000} MB")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("zoombench")
    parser.add_argument("picture")
    parser.add_argument("--browser", default="chromium")
    parser.add_argument("--rate", type=float, default=0, help="measure for so many seconds")
    parser.add_argument("--soak", type=float, default=0, help="press for so many seconds")
    parser.add_argument("--example", help="the folder of the example's page")
    parser.add_argument("--only-rate", action="store_true")
    options = parser.parse_args()
    with Server(options.zoombench, options.picture) as server:
        with Browser(options.browser) as browser:
            if not options.only_rate:
                check_systems(browser, server, options.zoombench, options.picture)
                check_counterexamples(browser, server, options.zoombench)
                check_links(browser, server)
                check_bad_clients(browser, server)
                if options.example:
                    check_example(browser, options.zoombench, options.picture, options.example)
            if options.rate:
                check_rate(browser, server, options.rate)
            if options.soak:
                check_rate(browser, server, options.soak, is_soak=True)
    print(f"{len(failures)} things are not as they should be" if failures else "all is well")
    sys.exit(1 if failures else 0)


main()
