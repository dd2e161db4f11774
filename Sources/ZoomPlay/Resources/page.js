// The page of `zoombench play`. It sends the actions of fingers and shows the frames that it receives;
// Documentation/Play.md describes the messages.
"use strict";

const $ = (id) => document.getElementById(id);
const clock = () => performance.now() / 1000;

// ---- The connection ----

// Stored for later visits without a token, such as links in reports. Unlike a cookie it is not sent to the
// servers of other ports of this machine.
const stored = () => { try { return localStorage; } catch { return {}; } };
const query = new URLSearchParams(location.search);
const token = query.get("token") ?? stored().token;
// Uncompressed on this machine, where bytes cost little; as JPEG over a network, which could not carry them.
const isLocal = ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
const coding = query.get("coding") ?? (isLocal ? "rgba" : "jpeg");
const state = {
  hello: null, mode: "live", timeline: null, moment: 0, playing: false,
  number: 0, sentAt: new Map(), fingers: new Map(), force: 0, recorded: null, lastStates: [],
};
const figures = { server: [], glass: [], shown: [] };
let socket = null;

function connect() {
  socket = new WebSocket(
    `ws://${location.host}/session` + (token ? `?token=${encodeURIComponent(token)}` : ""));
  socket.binaryType = "arraybuffer";
  socket.onmessage = (message) => {
    if (typeof message.data === "string") answer(JSON.parse(message.data));
    else frames.take(message.data);
  };
  socket.onopen = () => { if (token) stored().token = token; };
  socket.onclose = () => fail(state.hello
    ? "The connection is closed. Start zoombench play again and open the address that it prints."
    : "The server has refused a session: open the address that zoombench play has printed, or close another page.");
}

function ask(message) {
  if (socket && socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

function say(text) { $("status").textContent = text; }

// As a viewer the page hides its status, so it reports errors to the browser.
function fail(text) {
  say(text);
  if (viewer.isOn) reportError(new Error(text));
}

// ---- The page as a viewer ----

// With `viewer` in the query the picture fills the window, and the system moves by the page's clock, so that the page can
// be tested as any viewer can: Documentation/Play.md.
const viewer = {
  isOn: query.has("viewer"), isOpen: false, isTicking: false, isWaiting: false, firstNumber: 0,
  begin() {
    document.body.classList.add("viewer");
    addEventListener("resize", () => send([{ time: clock(), screen: screenNow() }]));
    window.zoombench = {
      promises: ["retina", "resize", "bounds", "returns"],
      settled: () => !this.isWaiting && !this.isTicking && !frames.latest.isMoving,
    };
    this.check();
  },
  // Reports the wait for a frame as that for a decoding, for which a browser that zoombench drives holds its clock.
  check() {
    if (!this.isOn) return;
    // Messages before the system began are not answered.
    const answers = frames.latest && this.isOpen ? Math.max(frames.latest.answers, this.firstNumber) : -1;
    const isWaiting = answers < state.number;
    if (isWaiting !== this.isWaiting) globalThis.zoombenchTell?.(isWaiting ? "+" : "-");
    this.isWaiting = isWaiting;
    if (isWaiting || this.isTicking || !frames.latest.isMoving) return;
    this.isTicking = true;
    // The message moves the system to the time of the next frame.
    requestAnimationFrame(() => { this.isTicking = false; send([], true); });
  },
};

function answer(message) {
  if (message.hello) begin(message.hello);
  if (message.error) fail(message.error);
  if (message.saved) say(`Saved as ${message.saved}.`);
  if (message.script) waitingForScript.splice(0).forEach((use) => use(message.script));
  if (message.live) {
    state.mode = "live";
    viewer.isOpen = true;
    const { width, height } = message.live.picture;
    say(`Live: ${$("system").value} on ${$("picture").selectedOptions[0].text}, ${width} x ${height} pixels.`);
    $("player").hidden = true;
  }
  if (message.timeline) openTimeline(message.timeline);
}

// ---- Frames ----

const frames = {
  queue: Promise.resolve(),
  latest: null,
  isAsked: false,
  // Patches are applied in order, each over the frame before, and the last result is shown.
  take(data) {
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    const start = 4 + length;
    this.queue = this.queue.then(() => this.put(header, data, start)).catch((error) => fail(`${error}`));
  },
  async put(header, data, start) {
    panels.fit(header);
    for (const [index, panel] of header.panels.entries()) {
      if (!panel.count) continue;
      const context = panels.context(index);
      if (panel.coding === "rgba") {
        const bytes = new Uint8ClampedArray(data, start + panel.at, panel.count);
        context.putImageData(new ImageData(bytes, panel.partWidth, panel.partHeight), panel.x, panel.y);
      } else {
        const blob = new Blob([new Uint8Array(data, start + panel.at, panel.count)], { type: "image/jpeg" });
        const bitmap = await createImageBitmap(blob);
        context.drawImage(bitmap, panel.x, panel.y);
        bitmap.close();
      }
    }
    ask({ shown: header.number });
    this.latest = header;
    viewer.check();
    if (!this.isAsked) {
      this.isAsked = true;
      requestAnimationFrame((now) => this.show(now));
    }
  },
  show() {
    this.isAsked = false;
    const header = this.latest;
    const now = performance.now();
    figures.shown.push(now);
    const sent = state.sentAt.get(header.answers);
    if (header.serverMilliseconds !== undefined && sent !== undefined) {
      figures.server.push(header.serverMilliseconds);
      figures.glass.push(now - sent);
    }
    for (const number of state.sentAt.keys()) if (number <= header.answers) state.sentAt.delete(number);
    for (const list of Object.values(figures)) if (list.length > 300) list.splice(0, list.length - 300);
    report(header);
  },
};

// Enlarges the small screens of counterexamples, so that single pixels can be seen.
function magnified(width, height) {
  const side = Math.max(width, height);
  return side < 150 ? Math.max(1, 300 / side) : 1;
}

const panels = {
  shown: [],
  // Makes one canvas per panel, with the panel's size.
  fit(header) {
    while (this.shown.length > header.panels.length) this.shown.pop().figure.remove();
    while (this.shown.length < header.panels.length) this.shown.push(this.make());
    header.panels.forEach((panel, index) => {
      const own = this.shown[index];
      const name = panel.form === "original" ? "as published" : panel.form;
      const title = panel.form === "difference" ? name : `${name}, read by ${panel.source}`;
      if (own.caption.textContent !== title) own.caption.textContent = title;
      own.failure.textContent = panel.failure ?? "";
      if (panel.failure && viewer.isOn) fail(panel.failure);
      if (panel.width && (own.canvas.width !== panel.width || own.canvas.height !== panel.height)) {
        own.canvas.width = panel.width;
        own.canvas.height = panel.height;
      }
      const [width, height] = header.points;
      const zoom = magnified(width, height);
      own.canvas.style.width = `${width * zoom}px`;
      own.canvas.style.height = `${height * zoom}px`;
      own.canvas.style.imageRendering = zoom > 1 ? "pixelated" : "";
    });
    this.drawExpected(header);
  },
  make() {
    const figure = document.createElement("figure");
    figure.innerHTML =
      '<figcaption></figcaption><div class="phone"><canvas tabindex="0" role="application"></canvas>' +
      "<svg></svg></div><p class=\"failure\"></p>";
    const own = {
      figure, caption: figure.querySelector("figcaption"), canvas: figure.querySelector("canvas"),
      phone: figure.querySelector(".phone"), over: figure.querySelector("svg"),
      failure: figure.querySelector(".failure"),
    };
    own.canvas.setAttribute(
      "aria-label", "A picture to press on: arrows move the finger, Enter presses, plus and minus change the force");
    $("panels").append(figure);
    fingers.watch(own.canvas);
    resizer.observe(own.phone);
    return own;
  },
  context(index) {
    // Frames are opaque, so the browser need not blend.
    return this.shown[index].canvas.getContext("2d", { alpha: false });
  },
  // Draws the outlines of the corrected system over every panel.
  drawExpected(header) {
    const corrected = header.panels.find((panel) => panel.form === "corrected");
    const shapes = $("expected").checked && corrected ? corrected.outlines : [];
    const [width, height] = header.points;
    const markup = shapes.map((points) =>
      `<polygon points="${points.map(Number).join(" ")}" fill="none" stroke="#00e5ff" stroke-width="2" stroke-dasharray="6 4"/>`).join("");
    for (const own of this.shown) {
      // Writing the same markup again would cost another layout.
      if (own.drawn === markup) continue;
      own.over.setAttribute("viewBox", `0 0 ${width} ${height}`);
      own.over.innerHTML = own.drawn = markup;
    }
  },
};

// ---- Measurements of frames ----

function median(values) {
  if (!values.length) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

const milliseconds = (value) => (value === null ? "-" : `${value.toFixed(1)} ms`);
let reporting = 0;

function report(header) {
  if (state.mode === "script" && header.moment !== undefined) showMoment(header.moment);
  const law = $("law");
  const broken = header.broken[0];
  const known = state.mode === "script" && state.timeline ? state.timeline.law : null;
  const text = known
    ? `${known.name}, ${known.subject}: ${known.statement}\n${known.input}\n${known.complaint}`
    : broken ? `${broken.law}: ${broken.statement} ${broken.complaint}` : "";
  if (law.textContent !== text) law.textContent = text;
  law.hidden = !text;
  if (header.events.length) $("events").textContent = header.events.join(", ");
  // Five times per second: people cannot read faster.
  if (!reporting) reporting = setTimeout(() => { reporting = 0; reportFigures(frames.latest); }, 200);
}

function reportFigures(header) {
  const now = performance.now();
  $("state").textContent = `${header.recogniser}, force ${header.force.toFixed(2)}, ${header.time.toFixed(3)} s`;
  const recent = figures.shown.filter((time) => time > now - 1000).length;
  $("rate").textContent = `${recent}`;
  $("serverTime").textContent = milliseconds(median(figures.server));
  $("glassTime").textContent = milliseconds(median(figures.glass));
  const body = $("costs");
  while (body.rows.length > header.panels.length) body.deleteRow(-1);
  header.panels.forEach((panel, index) => {
    const row = body.rows[index] ?? body.insertRow();
    const shown = panel.width * panel.height;
    const cells = [
      panel.form, panel.source, `${panel.milliseconds.toFixed(1)} ms`,
      panel.decoded === undefined ? "unknown" : (panel.decoded / Math.max(1, shown)).toFixed(2),
      panel.read === undefined ? "unknown" : `${(panel.read / 1000).toFixed(1)} kB`,
    ];
    cells.forEach((text, column) => { (row.cells[column] ?? row.insertCell()).textContent = text; });
  });
  drawStrip();
}

function drawStrip() {
  const canvas = $("strip");
  const context = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  const { width, height } = canvas;
  context.clearRect(0, 0, width, height);
  const y = (value) => height - Math.min(1, value / 40) * height;
  context.fillStyle = style.getPropertyValue("--glass");
  figures.glass.forEach((value, index) => context.fillRect(index * 2, y(value), 1.5, height - y(value)));
  context.fillStyle = style.getPropertyValue("--server");
  figures.server.forEach((value, index) => context.fillRect(index * 2, y(value), 1.5, height - y(value)));
  context.fillStyle = style.getPropertyValue("--rule");
  for (const line of [8.3, 16.7]) context.fillRect(0, y(line), width, 1);
}

// ---- Fingers ----

const maximumForce = 400 / 60;

function touch(id, finger) {
  const touch = { id, x: round(finger.x), y: round(finger.y), force: round(finger.force) };
  return finger.isPen ? { ...touch, pen: true } : touch;
}

const round = (value) => Math.round(value * 1000) / 1000;

// Movements that wait for the next frame; a frame cannot show them one by one.
let moves = [];

function sendMoves() {
  const events = moves;
  moves = [];
  if (events.length) send(events);
}

function send(events, isTick = false) {
  if (state.mode !== "live") return;
  const all = [...moves, ...events];
  moves = [];
  if (!all.length && !isTick) return;
  state.number += 1;
  // The measured delay starts when the finger moved, not when the message was sent.
  if (all.length) state.sentAt.set(state.number, Math.min(performance.now(), all[0].time * 1000));
  ask({ events: { number: state.number, sent: clock(), events: all } });
  viewer.check();
}

const fingers = {
  nextID: 1,
  keyboard: null,
  holding: null,
  watch(canvas) {
    canvas.addEventListener("pointerdown", (event) => this.began(canvas, event));
    canvas.addEventListener("pointermove", (event) => this.moved(canvas, event));
    canvas.addEventListener("pointerup", (event) => this.ended(event, "ended"));
    canvas.addEventListener("pointercancel", (event) => this.ended(event, "cancelled"));
    canvas.addEventListener("wheel", (event) => this.wheeled(event), { passive: false });
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("keydown", (event) => this.typed(event));
    canvas.addEventListener("blur", () => this.keyboardLifted("cancelled"));
  },
  place(canvas, event) {
    const box = canvas.getBoundingClientRect();
    const { width, height } = screenNow();
    return {
      x: ((event.clientX - box.left) / box.width) * width,
      y: ((event.clientY - box.top) / box.height) * height,
    };
  },
  pressure(event, before) {
    // Browsers report 0.5 for a mouse and for touch screens without pressure.
    const tells = event.pointerType === "pen" || (event.pointerType === "touch" && event.pressure > 0 && event.pressure !== 0.5 && event.pressure !== 1);
    return tells ? event.pressure * maximumForce : before;
  },
  began(canvas, event) {
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    try { canvas.setPointerCapture(event.pointerId); } catch { /* A pointer made by a program. */ }
    const finger = {
      ...this.place(canvas, event), id: this.nextID++, isPen: event.pointerType === "pen",
      force: this.pressure(event, 0.5), began: clock(), since: clock(),
    };
    state.fingers.set(event.pointerId, finger);
    const touches = [touch(finger.id, finger)];
    if (event.pointerType === "mouse" && event.shiftKey) {
      finger.other = this.nextID++;
      touches.push(touch(finger.other, this.opposite(finger)));
    }
    send([{ time: clock(), phase: "began", touches }]);
    this.hold();
  },
  // Returns a second finger for one pointer: opposite the first about the centre of the screen.
  opposite(finger) {
    const { width, height } = screenNow();
    return { ...finger, x: width - finger.x, y: height - finger.y };
  },
  moved(canvas, event) {
    const finger = state.fingers.get(event.pointerId);
    if (!finger) return;
    const samples = event.getCoalescedEvents ? event.getCoalescedEvents() : [];
    const events = (samples.length ? samples : [event]).map((sample) => {
      Object.assign(finger, this.place(canvas, sample));
      finger.force = this.pressure(sample, finger.force);
      return { time: sample.timeStamp / 1000, phase: "moved", touches: this.both(finger) };
    });
    // The first movement since the last frame is sent at once, the others together with the next frame.
    const isFirst = !this.hasMoved;
    this.hasMoved = true;
    if (isFirst) {
      requestAnimationFrame(() => { this.hasMoved = false; sendMoves(); });
      send(events);
    } else moves.push(...events);
  },
  both(finger) {
    const touches = [touch(finger.id, finger)];
    if (finger.other) touches.push(touch(finger.other, this.opposite(finger)));
    return touches;
  },
  ended(event, phase) {
    const finger = state.fingers.get(event.pointerId);
    if (!finger) return;
    state.fingers.delete(event.pointerId);
    send([{ time: clock(), phase, touches: this.both({ ...finger, force: 0 }) }]);
  },
  // Increases the force while a mouse button or finger is held, to its maximum after some 1.2 s.
  hold() {
    if (this.holding) return;
    const step = () => {
      this.holding = null;
      const held = [...state.fingers].filter(([, finger]) => !finger.isPen && !finger.wheel);
      const events = [];
      for (const [, finger] of held) {
        const force = Math.min(maximumForce, 0.5 + Math.max(0, clock() - finger.began - 0.3) * maximumForce);
        if (force === finger.force || $("system").value === "transition" || $("system").value === "double-tap" || $("system").value === "fullscreen") continue;
        finger.force = force;
        events.push({ time: clock(), phase: "moved", touches: this.both(finger) });
      }
      send(events);
      if (state.fingers.size) this.holding = requestAnimationFrame(step);
    };
    this.holding = requestAnimationFrame(step);
  },
  wheeled(event) {
    const finger = [...state.fingers.values()][0];
    if (!finger) return;
    event.preventDefault();
    finger.wheel = true;
    finger.force = Math.min(maximumForce, Math.max(0, finger.force - event.deltaY / 100));
    send([{ time: clock(), phase: "moved", touches: this.both(finger) }]);
  },
  typed(event) {
    const { width, height } = screenNow();
    const step = event.shiftKey ? 20 : 5;
    const ways = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
    this.keyboard ??= { x: width / 2, y: height / 2, force: 0.5, wheel: true };
    const own = this.keyboard;
    if (event.key === "Enter" && !event.repeat) {
      event.preventDefault();
      if (own.id) return this.keyboardLifted("ended");
      own.id = this.nextID++;
      state.fingers.set("keyboard", own);
      send([{ time: clock(), phase: "began", touches: [touch(own.id, own)] }]);
    } else if (ways[event.key]) {
      event.preventDefault();
      own.x = Math.min(width, Math.max(0, own.x + ways[event.key][0]));
      own.y = Math.min(height, Math.max(0, own.y + ways[event.key][1]));
      if (own.id) send([{ time: clock(), phase: "moved", touches: [touch(own.id, own)] }]);
    } else if (event.key === "+" || event.key === "-") {
      own.force = Math.min(maximumForce, Math.max(0, own.force + (event.key === "+" ? 0.5 : -0.5)));
      if (own.id) send([{ time: clock(), phase: "moved", touches: [touch(own.id, own)] }]);
    } else if (event.key === "Escape") {
      send([{ time: clock(), action: "close" }]);
    }
  },
  keyboardLifted(phase) {
    const own = this.keyboard;
    if (!own || !own.id) return;
    send([{ time: clock(), phase, touches: [touch(own.id, { ...own, force: 0 })] }]);
    state.fingers.delete("keyboard");
    own.id = 0;
  },
};

// ---- The screen ----

const presets = [
  ["iPhone 6s", 375, 667, 2], ["iPhone SE", 320, 568, 2], ["iPhone 15", 393, 852, 3],
  ["iPad", 768, 1024, 2], ["square", 400, 400, 2], ["free", 0, 0, 0],
];

function number(id, low, high) {
  const value = Number($(id).value);
  return Number.isFinite(value) ? Math.min(high, Math.max(low, value)) : low;
}

function screenNow() {
  if (viewer.isOn) return { width: innerWidth, height: innerHeight, scale: devicePixelRatio };
  const screen = { width: number("width", 50, 2000), height: number("height", 50, 2000), scale: number("scale", 1, 4) };
  if ($("insets").value === "notch") {
    screen.insets = screen.height > screen.width ? { top: 44, bottom: 34 } : { left: 44, right: 44, bottom: 21 };
  }
  return screen;
}

function choosePreset() {
  const [, width, height, scale] = presets[$("preset").selectedIndex];
  if (width) { $("width").value = width; $("height").value = height; $("scale").value = scale; }
  changeScreen();
}

function changeScreen() {
  if (state.mode === "live") send([{ time: clock(), screen: screenNow() }]);
}

// Dragging the corner of the drawn phone changes the size of its screen.
const resizer = new ResizeObserver((entries) => {
  if (state.mode !== "live" || viewer.isOn) return;
  for (const entry of entries) {
    const { width, height } = entry.contentRect;
    const screen = screenNow();
    if (!entry.target.style.width || (Math.abs(width - screen.width) < 2 && Math.abs(height - screen.height) < 2)) continue;
    entry.target.style.width = entry.target.style.height = "";
    $("preset").selectedIndex = presets.length - 1;
    $("width").value = Math.round(Math.max(50, width));
    $("height").value = Math.round(Math.max(50, height));
    changeScreen();
  }
});

// ---- Selections ----

function view() {
  const source = $("source").value;
  const one = (form, from = source) => ({ form, source: from });
  const all = {
    corrected: [one("corrected")], original: [one("original")],
    both: [one("original"), one("corrected")], difference: [one("original"), one("corrected")],
    sources: [one("corrected"), one("corrected", $("second").value)],
  };
  const show = $("show").value;
  $("secondLabel").hidden = show !== "sources";
  ask({
    view: {
      panels: all[show], difference: show === "difference" || show === "sources",
      lossless: coding === "rgba",
    },
  });
}

function live() {
  if (!state.hello) return;
  state.mode = "live";
  state.timeline = null;
  state.fingers.clear();
  for (const list of Object.values(figures)) list.length = 0;
  state.sentAt.clear();
  viewer.firstNumber = state.number;
  describe(null);
  $("script").value = "";
  view();
  ask({
    live: {
      picture: $("picture").selectedIndex, system: $("system").value, screen: screenNow(),
      device: $("device").value, clock: viewer.isOn ? "page" : "server",
    },
  });
  remember();
}

const devices = [
  "portrait", "landscapeLeft", "landscapeRight", "portraitUpsideDown", "faceUp", "faceDown",
];

function turn() {
  const device = $("device");
  device.selectedIndex = (device.selectedIndex + 1) % 4;
  send([{ time: clock(), device: device.value }]);
}

// ---- Scripts ----

const waitingForScript = [];

function recording(use) {
  waitingForScript.push(use);
  ask({ record: {} });
}

function playScript(what) {
  describe(null);
  ask({ play: { picture: $("picture").selectedIndex, system: $("system").value, ...what } });
}

// Selects the picture and the script of a timeline in the controls, and adds options that the lists lack.
// Disables the controls of the screen, which the script sets.
function describe(timeline) {
  for (const option of document.querySelectorAll("option.shown")) option.remove();
  for (const id of ["picture", "script"]) if ($(id).selectedIndex < 0) $(id).selectedIndex = 0;
  for (const id of ["preset", "width", "height", "scale", "insets", "device", "turn", "close"]) $(id).disabled = !!timeline;
  if (!timeline) return;
  const shown = (id, text) => {
    const own = [...$(id).options].find((option) => option.text === text);
    if (own) { own.selected = true; return; }
    const option = new Option(text, "", false, true);
    option.className = "shown";
    $(id).add(option);
    option.selected = true;
  };
  const { width, height } = timeline.picture;
  shown("picture", state.hello.pictures.includes(timeline.pictureName) ? timeline.pictureName : `${timeline.pictureName}, ${width} x ${height}`);
  shown("script", timeline.title);
}

// Shows the screen of a script at a moment in the controls.
function describeScreen(time) {
  const changes = state.timeline.events.filter((event) => event.screen && event.time <= time + 1e-9);
  const screen = changes.length ? changes[changes.length - 1].screen : state.timeline.screen;
  const preset = presets.findIndex(([, width, height, scale]) => width === screen.width && height === screen.height && scale === (screen.scale ?? 1));
  $("preset").selectedIndex = preset < 0 ? presets.length - 1 : preset;
  $("width").value = round(screen.width);
  $("height").value = round(screen.height);
  $("scale").value = round(screen.scale ?? 1);
}

function openTimeline(timeline) {
  state.mode = "script";
  state.timeline = timeline;
  state.playing = false;
  $("system").value = timeline.system;
  describe(timeline);
  $("player").hidden = false;
  $("moment").max = timeline.times.length - 1;
  const { width, height } = timeline.picture;
  say(`${timeline.title}: ${timeline.system} on ${timeline.pictureName}, ${width} x ${height} pixels, ${timeline.times.length} moments.`);
  if (timeline.law && ["corrected", "original"].includes($("show").value)) {
    $("show").value = "both";
    $("expected").checked = true;
  }
  view();
  const at = Number(wanted.get("at"));
  wanted.delete("at");
  const opening = Number.isFinite(at) && at > 0 ? timeline.times.findLastIndex((time) => time <= at + 1e-9) : timeline.opening;
  show(Math.max(0, opening));
}

function show(moment) {
  if (!state.timeline) return;
  state.moment = Math.min(state.timeline.times.length - 1, Math.max(0, moment));
  ask({ show: state.moment });
}

function showMoment(moment) {
  const time = state.timeline.times[moment];
  $("moment").value = moment;
  $("time").textContent = `${moment + 1} of ${state.timeline.times.length}, ${time.toFixed(3)} s`;
  describeScreen(time);
  const last = state.timeline.events.findLast((event) => event.time <= time + 1e-9);
  $("events").textContent = last ? sentence(last) : "-";
  remember(time);
}

// Returns an event of a script in words.
function sentence(event) {
  const at = `${event.time.toFixed(3)} s: `;
  if (event.touches) {
    return at + event.touches.map((touch) =>
      `finger ${touch.id} ${event.phase} at (${round(touch.x)}, ${round(touch.y)}), force ${round(touch.force ?? 0)}`).join("; ");
  }
  const what = event.device ?? event.interface ?? event.action;
  return at + (what ?? `the screen is ${event.screen.width} x ${event.screen.height}`);
}

function playOn(start, from) {
  if (!state.playing || state.mode !== "script") return;
  const time = from + (performance.now() - start) / 1000 * Number($("speed").value);
  const times = state.timeline.times;
  const moment = Math.max(0, times.findLastIndex((own) => own <= time));
  if (moment !== state.moment) show(moment);
  if (moment >= times.length - 1) return pausePlaying(false);
  requestAnimationFrame(() => playOn(start, from));
}

function pausePlaying(isPlaying) {
  state.playing = isPlaying;
  $("pause").textContent = isPlaying ? "Pause" : "Play";
  if (!isPlaying || !state.timeline) return;
  if (state.moment >= state.timeline.times.length - 1) show(0);
  playOn(performance.now(), state.timeline.times[state.moment]);
}

// ---- The address ----

const wanted = new URLSearchParams(location.hash.slice(1));

function remember(time) {
  const parts = new URLSearchParams();
  const law = state.mode === "script" && state.timeline && state.timeline.law;
  if (law) {
    for (const name of ["law", "subject", "replay"]) if (wanted.get(name)) parts.set(name, wanted.get(name));
  } else {
    parts.set("picture", $("picture").value);
    parts.set("system", $("system").value);
    if (state.mode === "script" && $("script").value) parts.set("script", $("script").value);
  }
  parts.set("show", $("show").value);
  if (time !== undefined) parts.set("at", time.toFixed(4));
  $("link").href = `#${parts}`;
  if (state.mode !== "script" || !state.playing) history.replaceState(null, "", `#${parts}`);
}

function options(id, values) {
  $(id).replaceChildren(...values.map((value) => new Option(...[].concat(value))));
}

function begin(hello) {
  state.hello = hello;
  options("picture", hello.pictures);
  options("system", hello.systems);
  options("source", hello.sources);
  options("second", hello.sources);
  $("second").selectedIndex = Math.min(1, hello.sources.length - 1);
  options("preset", presets.map(([name]) => name));
  options("device", devices);
  options("script", [["live", ""], ...hello.scripts.map((script) => [script.name, script.name])]);
  $("saving").hidden = !hello.canSave;
  for (const id of ["picture", "system", "show", "source"]) {
    const value = wanted.get(id);
    if (value && [...$(id).options].some((option) => option.value === value)) $(id).value = value;
    else if (value && viewer.isOn) fail(`There is no ${id} ${value}.`);
  }
  if (!viewer.isOn) choosePreset();
  if (wanted.get("law")) {
    view();
    ask({ counterexample: { law: wanted.get("law"), subject: wanted.get("subject") ?? "", token: wanted.get("replay") } });
  } else if (wanted.get("script")) {
    $("script").value = wanted.get("script");
    playScript({ name: wanted.get("script") });
  } else live();
}

for (const id of ["picture", "system"]) $(id).addEventListener("change", live);
for (const id of ["show", "source", "second"]) $(id).addEventListener("change", () => { view(); remember(); });
$("expected").addEventListener("change", () => frames.latest && panels.drawExpected(frames.latest));
$("preset").addEventListener("change", choosePreset);
for (const id of ["width", "height", "scale", "insets"]) $(id).addEventListener("change", changeScreen);
$("device").addEventListener("change", () => send([{ time: clock(), device: $("device").value }]));
$("turn").addEventListener("click", turn);
$("close").addEventListener("click", () => send([{ time: clock(), action: "close" }]));
$("again").addEventListener("click", live);
$("script").addEventListener("change", () => {
  const script = state.hello.scripts.find((own) => own.name === $("script").value);
  if (!script) return live();
  $("system").value = script.system;
  playScript({ name: script.name });
});
$("moment").addEventListener("input", () => { pausePlaying(false); show(Number($("moment").value)); });
$("back").addEventListener("click", () => { pausePlaying(false); show(state.moment - 1); });
$("forward").addEventListener("click", () => { pausePlaying(false); show(state.moment + 1); });
$("pause").addEventListener("click", () => pausePlaying(!state.playing));
$("download").addEventListener("click", () => recording((script) => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(script, null, 1)], { type: "application/json" }));
  link.download = `${$("system").value}-gesture.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}));
$("repeat").addEventListener("click", () => playScript({ recorded: true }));
$("save").addEventListener("click", () => ask({ save: $("name").value }));
$("controls").addEventListener("submit", (event) => event.preventDefault());
if (viewer.isOn) viewer.begin();
connect();
