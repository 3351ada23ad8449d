"use strict";
const START = {
  items: [{ id: "a", grade: 3 }, { id: "b" }, { id: "c", grade: 1 }, { id: "d" }, { id: "e", grade: 2 }],
  unretrieved: [{ id: "f", grade: 1 }], scored: false, metric: "map", k: 3, presets: "", why: ["blog", "mllib"], identify: "",
};
const $ = (id) => document.getElementById(id);
let state = structuredClone(START);
let known = { metrics: [], presets: [], groups: [], usual: [], most_items: 200 };
let asking = null;

/* Every text goes through textContent or an attribute that holds no code. */
function make(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "text") made.textContent = value;
    else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/* The address */
function isItem(one) {
  const isNumber = (value) => value === undefined || Number.isFinite(value);
  return one !== null && typeof one === "object" && typeof one.id === "string" && isNumber(one.grade) && isNumber(one.score);
}
function fromAddress() {
  const read = structuredClone(START);
  try {
    const saved = JSON.parse(decodeURIComponent(location.hash.slice(1)) || "{}");
    for (const name of ["items", "unretrieved"]) if (Array.isArray(saved[name]) && saved[name].every(isItem)) read[name] = saved[name];
    for (const name of ["metric", "presets", "identify"]) if (typeof saved[name] === "string") read[name] = saved[name];
    if (saved.k === null || Number.isInteger(saved.k)) read.k = saved.k;
    if (Array.isArray(saved.why) && saved.why.length === 2 && saved.why.every((one) => typeof one === "string")) read.why = saved.why;
    read.scored = saved.scored === true;
  } catch {
    say("The address holds no list that can be read, so the page starts anew.");
  }
  return read;
}
function changed(focus) {
  history.pushState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));
  draw();
  if (focus) document.querySelector(focus)?.focus();
  ask();
}
function say(text) { $("said").textContent = text; $("busy").textContent = text; }

/* The list */
function move(from, to, control) {
  if (to < 0 || to >= state.items.length || from === to) return;
  state.items.splice(to, 0, ...state.items.splice(from, 1));
  const end = (control === "up" && to === 0) ? "down" : (control === "down" && to === state.items.length - 1) ? "up" : control;
  changed(`#items li:nth-child(${to + 1}) .${end}`);
  $("said").textContent = `${state.items[to].id} is now at rank ${to + 1}.`;
}
function number(text) { return text.trim() === "" || !Number.isFinite(Number(text)) ? undefined : Number(text); }
function fields(one, list, place) {
  const called = one.id || "the item";
  const set = (name, value) => { if (value === undefined) delete one[name]; else one[name] = value; };
  const ranked = list === "items";
  const name = make("input", { class: "name", dir: "auto", maxlength: 200, spellcheck: "false", "aria-label": `Name of item ${place + 1}`,
    onchange: (event) => { if (event.target.value) set("id", event.target.value); changed(); },
    onkeydown: (event) => {
      const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (ranked && step && event.altKey) {
        event.preventDefault();
        if (event.target.value) one.id = event.target.value;
        move(place, place + step, "name");
      }
    } });
  name.value = one.id;
  const grade = make("input", { class: "grade", type: "number", step: "any", placeholder: "–", "aria-label": `Grade of ${called}`,
    onchange: (event) => { set("grade", number(event.target.value)); changed(); } });
  grade.value = one.grade ?? "";
  const score = make("input", { class: "score", type: "number", step: "any", "aria-label": `Score of ${called}`,
    onchange: (event) => { set("score", number(event.target.value)); changed(); } });
  score.value = one.score ?? "";
  const button = (text, label, use, kind, off) =>
    make("button", { type: "button", text, class: kind, "aria-label": `${label} ${called}`, title: label, onclick: use, disabled: off });
  const remove = button("×", "Remove", () => {
    state[list].splice(place, 1);
    changed(state[list].length ? `#${list} li:nth-child(${Math.min(place + 1, state[list].length)}) .remove` : ranked ? "#add" : "#add-unretrieved");
    $("said").textContent = `${called} is removed.`;
  }, "remove");
  const buttons = make("span", { class: "buttons" });
  if (ranked) buttons.append(
    button("↑", "Move up", () => move(place, place - 1, "up"), "up", place === 0),
    button("↓", "Move down", () => move(place, place + 1, "down"), "down", place === state.items.length - 1));
  buttons.append(remove);
  return [name, grade, ...(ranked && state.scored ? [score] : []), buttons];
}
function row(one, list, place) {
  const handle = make("span", { class: list === "items" ? "handle" : "", text: list === "items" ? `${place + 1}` : "", "aria-hidden": "true" });
  const made = make("li", { class: `item${one.grade > 0 ? " relevant" : ""}` }, handle, ...fields(one, list, place));
  if (list === "items") draggable(handle, made, place);
  return made;
}
function draggable(handle, item, place) {
  let target = place;
  handle.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    event.preventDefault();
    target = place;
    handle.setPointerCapture(event.pointerId);
    item.classList.add("dragged");
  });
  handle.addEventListener("pointermove", (event) => {
    if (!item.classList.contains("dragged")) return;
    const others = [...$("items").children].filter((one) => one !== item);
    target = others.filter((one) => { const box = one.getBoundingClientRect(); return event.clientY > box.top + box.height / 2; }).length;
    if (others[target]) others[target].before(item); else $("items").append(item);
    if (!handle.hasPointerCapture(event.pointerId)) handle.setPointerCapture(event.pointerId);
  });
  const end = (commit) => () => {
    if (!item.classList.contains("dragged")) return;
    item.classList.remove("dragged");
    if (commit && target !== place) move(place, target, "name"); else draw();
  };
  handle.addEventListener("pointerup", end(true));
  handle.addEventListener("pointercancel", end(false));
}
function choose(select, options, value) {
  const all = options.some(([one]) => one === value) ? options : [...options, [value, value]];
  select.replaceChildren(...all.map(([one, text]) => make("option", { value: one, text })));
  select.value = value;
}
function draw() {
  const tooMany = state.items.length + state.unretrieved.length > 2 * known.most_items;
  for (const list of ["items", "unretrieved"])
    $(list).replaceChildren(...(tooMany ? [] : state[list].map((one, place) => row(one, list, place))));
  $("items").classList.toggle("scored", state.scored);
  $("add").disabled = state.items.length >= known.most_items;
  $("add-unretrieved").disabled = state.unretrieved.length >= known.most_items;
  $("scored").checked = state.scored;
  $("scores-text").hidden = !state.scored;
  $("metric").value = state.metric;
  $("k").value = state.k ?? "";
  $("identify").value = state.identify;
  const names = known.presets.map((one) => [one, one]);
  $("presets").value = state.presets;
  $("presets").placeholder = `${known.usual.length} well-known ones`;
  choose($("ours"), names, state.why[0]);
  choose($("other"), names, state.why[1]);
}

/* The numbers */
async function ask() {
  asking?.abort();
  const mine = asking = new AbortController();
  $("busy").textContent = "Working…";
  const item = (one) => ({ id: one.id, grade: one.grade ?? null });
  const request = {
    items: state.items.map((one) => ({ ...item(one), score: state.scored ? one.score ?? null : null })),
    unretrieved: state.unretrieved.map(item), metric: state.metric, k: state.k, presets: state.presets.split(/[\s,]+/).filter(Boolean),
    why: state.why, identify: state.identify || null,
  };
  let result;
  try {
    const got = await fetch("play", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request), signal: mine.signal });
    result = await got.json();
  } catch (problem) {
    if (problem.name === "AbortError") return;
    const silent = problem instanceof TypeError;
    result = { error: silent ? "There is no response. Is rankconv serve still running?" : "The response is not JSON." };
  }
  try {
    show(result.error ? { numbers: result } : result);
    $("busy").textContent = result.error ? "" : `${result.metric} of this list`;
  } catch (problem) {
    console.error(problem);
    show({ numbers: { error: `This page cannot draw the response, which is a fault of rankconv: ${problem.message}` } });
    $("busy").textContent = "";
  }
}
function show(result) {
  const warned = (result.warnings ?? []).map((text) => make("p", { class: "soft", text }));
  $("numbers").replaceChildren(...part(result.numbers, numbers), ...warned);
  $("why").replaceChildren(...part(result.why, why));
  $("identified").replaceChildren(...part(result.identify, identified));
}
function part(result, drawn) {
  if (!result) return [];
  return result.error ? [make("p", { class: "error", text: result.error })] : drawn(result);
}
/* A bar from one value to another, on a line from low to high. */
function bar(from, to, low, high) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const at = (value) => high > low ? 100 * (value - low) / (high - low) : 0;
  made.setAttribute("class", "bar");
  made.setAttribute("viewBox", "0 0 100 10");
  made.setAttribute("preserveAspectRatio", "none");
  made.setAttribute("aria-hidden", "true");
  const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
  const shape = { x: Math.min(at(from), at(to)), width: Math.max(Math.abs(at(to) - at(from)), .6), y: 0, height: 10, fill: "currentColor" };
  for (const [name, value] of Object.entries(shape)) box.setAttribute(name, value);
  made.append(box);
  return made;
}
function table(heads, rows) {
  const head = make("tr", {}, ...heads.map(([text, kind]) => make("th", { text, class: kind, scope: "col" })));
  return make("div", { class: "scroll" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows)));
}
function numbers(result) {
  const values = result.groups.map((one) => one.value ?? 0);
  const low = Math.min(0, ...values), high = Math.max(values.every((one) => one <= 1) ? 1 : 0, ...values);
  const rows = result.groups.map((one) => {
    const names = make("td", {}, make("span", { text: one.presets.join(", ") }));
    if (one.step) names.append(make("span", { class: "step",
      text: `${one.step.upper} against ${one.step.lower} above: ${one.step.settings.join(", ") || "nothing that is a setting"}` }));
    return make("tr", {}, make("td", { class: "value", text: one.shown }),
      make("td", { class: "bars" }, bar(0, one.value ?? 0, low, high)), names);
  });
  const shown = rows.length ? [table([["value", "value"], ["from 0", "bars"], ["presets that give it", ""]], rows)] : [make("p", { text: "No preset gives a number." })];
  return [...shown, ...(result.absent.length ? [make("p", { class: "soft", text: `No number: ${result.absent.join("; ")}.` })] : [])];
}
function why(result) {
  const [first, second] = result.ends;
  const levels = [first.value];
  for (const one of result.steps) levels.push(levels.at(-1) + one.share);
  const low = Math.min(0, ...levels, second.value), high = Math.max(0, ...levels, second.value);
  const line = (name, shown, ...ends) => make("tr", {}, make("td", { text: name }), make("td", { class: "value", text: shown }),
    make("td", { class: "bars" }, bar(...ends, low, high)));
  const rows = [line(first.name, first.shown, 0, first.value),
    ...result.steps.map((one, place) => line(one.change, one.shown, levels[place], levels[place + 1])),
    line(second.name, second.shown, 0, second.value)];
  return [table([["setting that is changed", ""], ["effect", "value"], ["from 0", "bars"]], rows), ...result.notes.map((text) => make("p", { class: "soft", text }))];
}
function identified(result) {
  const rows = result.rows.map((one) => {
    const cell = make("td", {}, make("code", { text: one.definition }));
    const more = [one.how, one.also && `also ${one.also}`].filter(Boolean).join("; ");
    if (more) cell.append(make("span", { class: "step", text: more }));
    return make("tr", {}, make("td", { class: "value", text: one.value === null ? "–" : one.value.toFixed(6) }), cell);
  });
  const text = result.found || !rows.length ? result.headline : `${result.headline} The nearest presets:`;
  const more = result.more ? [make("p", { class: "soft", text: `And ${result.more} more.` })] : [];
  const drawn = rows.length ? [table([["in full", "value"], ["definition, and how it was printed", ""]], rows)] : [];
  return [make("p", { text }), ...drawn, ...more];
}

/* The controls */
function fresh() {
  const taken = new Set([...state.items, ...state.unretrieved].map((one) => one.id));
  for (let count = 0; ; count++) {
    const name = count < 26 ? String.fromCharCode(97 + count) : `item ${count + 1}`;
    if (!taken.has(name)) return name;
  }
}
function listen() {
  const field = (id, use) => $(id).addEventListener("change", (event) => { use(event.target.value); changed(); });
  field("metric", (value) => { state.metric = value.trim() || START.metric; });
  field("k", (value) => { state.k = value === "" ? null : Math.round(Number(value)); });
  field("presets", (value) => { state.presets = value.trim(); });
  field("ours", (value) => { state.why = [value, state.why[1]]; });
  field("other", (value) => { state.why = [state.why[0], value]; });
  field("identify", (value) => { state.identify = value.trim(); });
  $("scored").addEventListener("change", (event) => {
    state.scored = event.target.checked;
    if (state.scored) state.items.forEach((one, place) => { one.score ??= state.items.length - place; });
    changed();
  });
  $("add").addEventListener("click", () => {
    const lowest = Math.min(0, ...state.items.map((one) => one.score ?? 0));
    state.items.push({ id: fresh(), ...(state.scored ? { score: lowest - 1 } : {}) });
    changed("#items li:last-child .name");
  });
  $("add-unretrieved").addEventListener("click", () => {
    state.unretrieved.push({ id: fresh(), grade: 1 });
    changed("#unretrieved li:last-child .name");
  });
  $("anew").addEventListener("click", () => { state = structuredClone(START); changed("#anew"); });
  addEventListener("popstate", again);
}
function again() { state = fromAddress(); draw(); ask(); }
async function begin() {
  listen();
  state = fromAddress();
  draw();
  try {
    known = await (await fetch("names")).json();
    for (const [id, names] of [["metrics", known.metrics], ["preset-names", [...known.groups, ...known.presets]]])
      $(id).replaceChildren(...names.map((value) => make("option", { value })));
  } catch { say("The names of presets are not available."); }
  draw();
  ask();
}
begin();
