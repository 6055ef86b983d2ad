"use strict";
// The speaker's page leads the stage: a window of the same server with JupyterLab in it, reached by `jupyterapp`.
const data = JSON.parse(document.getElementById("data").textContent);
const token = location.hash.slice(1);
const $ = (id) => document.getElementById(id);
let stage = null;
let slide = 0;
let began = null;
let allCells = false;

const say = (text) => { $("state").textContent = text; };
const panel = () => (stage && !stage.closed && stage.jupyterapp ? stage.jupyterapp.shell.currentWidget : null);

// --- the clock ---
const clockText = (seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

function tick() {
  if (began === null) return;
  const seconds = (Date.now() - began) / 1000;
  $("elapsed").textContent = clockText(seconds);
  const minute = seconds / 60;
  document.querySelectorAll(".minutes > table tr").forEach((row, index) => {
    const { start, end } = data.rows[index];
    row.classList.toggle("over", minute >= end);
    row.classList.toggle("now", minute >= start && minute < end);
    if (minute >= start && minute < end) $("due").textContent = `${clockText(end * 60 - seconds)} left in this part`;
  });
  if (minute >= data.rows.at(-1).end) $("due").textContent = "time is up";
}

$("clock").onclick = () => {
  began = began === null ? Date.now() : null;
  $("clock").textContent = began === null ? "Start the clock" : "Reset the clock";
  if (began === null) { $("elapsed").textContent = "0:00"; $("due").textContent = ""; }
  tick();
};
setInterval(tick, 500);

// --- the stage ---
function mark() {
  document.querySelectorAll(".notes section").forEach((section, index) => {
    section.classList.toggle("now", index === data.slides[slide].notes);
    if (index === data.slides[slide].notes) section.scrollIntoView({ block: "nearest" });
  });
  const shown = panel();
  if (!shown) return;
  const ids = new Set(data.slides[slide].cells);
  stage.document.body.classList.add("tformer-stage");
  stage.document.body.classList.toggle("tformer-slides", !allCells);
  shown.content.widgets.forEach((cell) => {
    cell.node.classList.toggle("tformer-shown", ids.has(cell.model.id));
    // So little code leaves the whole width to what it shows.
    cell.node.classList.toggle("tformer-wide", cell.model.sharedModel.getSource().trim().split("\n").length < 3);
  });
}

function show(index, { first = true } = {}) {
  slide = Math.max(0, Math.min(data.slides.length - 1, index));
  const shown = panel();
  if (shown && first) {
    shown.content.activeCellIndex = shown.content.widgets.findIndex((cell) => cell.model.id === data.slides[slide].cells[0]);
    shown.content.mode = "command";
    shown.content.node.scrollTop = 0;
    if (shown.content.outerNode) shown.content.outerNode.scrollTop = 0;
  }
  mark();
}

// Shift+Enter goes on to the next cell; where that one is on another slide, the slide changes only by the speaker.
function follow() {
  const shown = panel();
  if (!shown) return;
  if (!shown.content.widgets.some((cell) => cell.node.classList.contains("tformer-shown"))) mark();
  if (allCells && shown.content.activeCell) {
    const at = data.slides.findIndex((ids) => ids.cells.includes(shown.content.activeCell.model.id));
    if (at >= 0 && at !== slide) show(at, { first: false });
  }
}

function runShown() {
  const shown = panel();
  const cells = shown.content.widgets;
  const active = shown.content.activeCell;
  const at = active && data.slides[slide].cells.includes(active.model.id) && active.model.type === "code"
    ? active : cells.find((cell) => data.slides[slide].cells.includes(cell.model.id) && cell.model.type === "code");
  if (!at) return false;
  shown.content.activeCellIndex = cells.indexOf(at);
  stage.jupyterapp.commands.execute("notebook:run-cell");
  return true;
}

// PageUp, PageDown and most clickers' keys, in both windows; letters belong to the notebook.
function keys(event) {
  if (event.key === "PageDown" || event.key === "PageUp") {
    event.preventDefault();
    event.stopPropagation();
    show(slide + (event.key === "PageDown" ? 1 : -1));
  }
  // Run and stay: Lab's own Shift+Enter would select a cell of the next slide, which is not shown.
  if (event.key === "Enter" && event.shiftKey && !allCells && panel()) {
    event.preventDefault();
    event.stopPropagation();
    runShown();
  }
}
document.addEventListener("keydown", keys, true);

// A kernel answers its first question when its imports are done. Before it is connected it cannot be asked.
async function kernelAnswers(shown) {
  for (let tries = 0; tries < 1200; tries += 1) {
    const kernel = shown.sessionContext.session && shown.sessionContext.session.kernel;
    if (kernel && kernel.connectionStatus === "connected" && kernel.status === "idle") {
      await kernel.requestKernelInfo();
      return;
    }
    await new Promise((done) => setTimeout(done, 100));
  }
}

async function opened() {
  for (let tries = 0; tries < 600; tries += 1) {
    await new Promise((done) => setTimeout(done, 200));
    const shown = panel();
    if (shown && shown.sessionContext && shown.content.widgets && shown.content.widgets.length) {
      await shown.sessionContext.ready;
      say("The kernel does its imports …");
      await kernelAnswers(shown);
      stage.document.title = document.title.replace("Speaker – ", "");
      stage.addEventListener("keydown", keys, true);
      for (const id of ["previous", "next", "all", "restart"]) $(id).disabled = false;
      show(0);
      say("The stage is ready. PageDown and PageUp change slides, Shift+Enter runs the slide's cell.");
      return;
    }
  }
  say("The stage did not come up; close its window and open it again.");
}

$("open").onclick = () => {
  if (!token) { say("This page was opened as a file: start it with `tformer lecture`."); return; }
  stage = window.open(`${location.origin}/doc/tree/demo.ipynb?reset&token=${token}`, "stage", "popup,width=1280,height=720");
  if (!stage) { say("The browser has blocked the window: allow pop-ups for this page."); return; }
  say("The stage is opening …");
  opened();
};
$("previous").onclick = () => show(slide - 1);
$("next").onclick = () => show(slide + 1);
$("all").onclick = () => {
  allCells = !allCells;
  $("all").setAttribute("aria-pressed", String(allCells));
  mark();
};

// Back to cell 1: the notebook as it was, a fresh kernel that has done the imports, the first slide.
$("restart").onclick = async () => {
  const shown = panel();
  if (!shown) { say("There is no stage: open it again."); return; }
  const before = performance.now();
  say("Restarting …");
  const put = await fetch("/api/contents/demo.ipynb", {
    method: "PUT",
    headers: { Authorization: `token ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ type: "notebook", format: "json", content: data.notebook }),
  });
  if (!put.ok) { say(`The notebook could not be put back (${put.status}).`); return; }
  await shown.sessionContext.session.kernel.restart();
  await shown.context.revert();
  show(0);
  await kernelAnswers(shown);
  say(`Restarted in ${((performance.now() - before) / 1000).toFixed(1)} s: cell 1, imports done.`);
};

setInterval(follow, 400);
mark();
