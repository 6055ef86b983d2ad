/* The attention explorer. Python wraps this one function in a call: host is the element that holds the static picture,
   data what explorer.py packed. Weights are bytes (255 is a weight of 1), in the order layer, head, query, key.
   Tokens are untrusted: they reach the page by textContent only. Nothing here asks the network for anything. */
async function exploreAttention(host, data) {
  const { layers, heads, queries, keys } = data;
  const [T, S] = [queries.length, keys.length];
  const start = { layer: data.layer, head: data.head, row: 0, column: 0, kept: -1, view: "matrix" };
  let state = start;

  // Where the browser is too old or the data are cut short, the picture stays.
  const weights = await inflate(data.weights).catch(() => null);
  if (!weights || weights.length !== layers * heads * T * S || host.dataset.ready) return;
  const palette = bytes(data.palette); // 256 colours, three bytes each

  function bytes(base64) {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  }
  async function inflate(base64) {
    const stream = new Blob([bytes(base64)]).stream().pipeThrough(new DecompressionStream("deflate"));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  function make(tag, properties = {}, ...children) {
    const { data: dataset = {}, ...rest } = properties;
    const element = Object.assign(document.createElement(tag), rest);
    Object.assign(element.dataset, dataset);
    element.append(...children);
    return element;
  }
  /* What cannot be seen, or turns the direction of the text around it, is written as its code point. */
  function readable(token) {
    const code = (letter) => `\\u{${letter.codePointAt(0).toString(16)}}`;
    const text = token.replace(/[\p{Cc}\p{Zl}\p{Zp}]|(?!\u200d)\p{Cf}|^\u200d+$/gu, code);
    return text.replace(/^ +| +$/g, (spaces) => "␣".repeat(spaces.length)) || "∅";
  }
  const at = (row, column, { layer, head } = state) => weights[((layer * heads + head) * T + row) * S + column];
  const number = (byte) => (byte === 0 ? "< 0.002" : (byte / 255).toFixed(byte < 26 ? 3 : 2));
  const clamp = (value, size) => Math.min(size - 1, Math.max(0, value));

  // --- The elements, once ---
  const cell = Math.min(34, Math.max(13, Math.floor(560 / Math.max(T, S)))); // pixels a token
  const label = (axis) => (token, index) => make("span", { title: readable(token), data: { axis, index } }, make("bdi", {}, readable(token)));
  const labelled = (name, axis) => make("div", { className: name }, ...(axis === "row" ? queries : keys).map(label(axis)));
  function slider(name, size) {
    const input = make("input", { type: "range", min: 0, max: size - 1, step: 1, ariaLabel: name });
    const shown = make("output");
    input.addEventListener("input", () => update({ [name]: Number(input.value) }));
    return { input, shown, element: make("label", { hidden: size === 1 }, name, input, shown) };
  }
  const layerSlider = slider("layer", layers);
  const headSlider = slider("head", heads);
  const viewButtons = ["matrix", "lines"].map((view) =>
    make("button", { type: "button", textContent: view, onclick: () => update({ view }) }));
  const freeButton = make("button", { type: "button", textContent: "all rows", onclick: () => update({ kept: -1 }) });
  const readout = make("div", { className: "readout", role: "status" }, make("div"), make("div"));
  const overview = make("canvas", { className: "overview", hidden: layers * heads === 1, title: "every layer (rows) and head (columns)" });
  const chosen = make("div", { className: "chosen" });
  const map = make("canvas", { className: "map", width: S, height: T });
  const cursor = make("div", { className: "cursor" });
  const plot = make("div", { className: "plot" }, map, cursor);
  const matrix = make("div", { className: "matrix" }, make("div", { className: "corner" }), labelled("columns", "column"), labelled("rows", "row"), plot);
  const strokes = make("canvas");
  const lines = make("div", { className: "lines" }, labelled("from", "row"), strokes, labelled("to", "column"));
  const stage = make("div", { className: "stage", tabIndex: 0, role: "application" }, matrix, lines);
  const help = "Arrow keys read a weight, Enter keeps a row, Escape frees it, [ ] change the head, { } the layer.";
  const root = make("div", { className: "explorer" },
    make("div", { className: "tools" }, layerSlider.element, headSlider.element, make("span", { role: "group", ariaLabel: "view" }, ...viewButtons), freeButton,
      make("span", { className: "scale" }, "0", make("i"), "1")),
    readout,
    make("div", { className: "body" }, make("div", { className: "heads" }, overview, chosen), stage),
    make("div", { className: "help" }, help));
  root.style.setProperty("--cell", `${cell}px`);
  root.style.setProperty("--columns", S);
  root.style.setProperty("--rows", T);
  root.style.setProperty("--palette", [0, 32, 64, 96, 128, 160, 192, 224, 255].map((level) => `rgb(${palette.slice(3 * level, 3 * level + 3)})`).join());

  // --- Drawing ---
  function pixels(layer, head, kept) {
    const image = new ImageData(S, T);
    for (let index = 0; index < T * S; index++) {
      const level = 3 * at(Math.floor(index / S), index % S, { layer, head });
      const faint = kept >= 0 && Math.floor(index / S) !== kept;
      image.data.set([palette[level], palette[level + 1], palette[level + 2], faint ? 70 : 255], 4 * index);
    }
    return image;
  }
  const side = Math.max(12, Math.min(30, Math.floor(330 / heads), Math.floor(640 / layers))); // pixels a thumbnail
  function drawOverview() {
    overview.width = heads * side;
    overview.height = layers * side;
    const [context, head] = [overview.getContext("2d"), make("canvas", { width: S, height: T })];
    for (let index = 0; index < layers * heads; index++) {
      const [row, column] = [Math.floor(index / heads), index % heads];
      head.getContext("2d").putImageData(pixels(row, column, -1), 0, 0);
      context.drawImage(head, column * side + 1, row * side + 1, side - 2, side - 2);
    }
  }
  function drawLines() {
    const [width, height, ratio] = [300, cell * 1.35 * Math.max(T, S), window.devicePixelRatio || 1];
    Object.assign(strokes, { width: width * ratio, height: height * ratio });
    Object.assign(strokes.style, { width: `${width}px`, height: `${height}px` });
    const context = strokes.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(stage);
    const line = (row, column, strong) => {
      const weight = at(row, column) / 255;
      if (weight < (strong ? 0.002 : 0.02)) return;
      context.strokeStyle = strong ? style.getPropertyValue("--strong") : style.color;
      context.globalAlpha = strong ? 0.25 + 0.75 * weight : 0.5 * weight;
      context.lineWidth = 0.5 + 4 * weight;
      context.beginPath();
      context.moveTo(0, (row + 0.5) * cell * 1.35);
      context.lineTo(width, (column + 0.5) * cell * 1.35);
      context.stroke();
    };
    for (let row = 0; row < T; row++) if (state.kept < 0 && row !== state.row) for (let column = 0; column < S; column++) line(row, column, false);
    for (let column = 0; column < S; column++) line(state.row, column, true);
  }
  function update(change) {
    const before = state;
    state = { ...state, ...change };
    if (state.kept >= 0 && !("kept" in change) && "row" in change) state.kept = state.row; // the kept row moves along
    const { layer, head, row, column, kept, view } = state;
    for (const [{ input, shown }, value] of [[layerSlider, layer], [headSlider, head]]) {
      input.value = value;
      shown.textContent = value;
    }
    viewButtons.forEach((button) => (button.ariaPressed = String(button.textContent === view)));
    freeButton.hidden = kept < 0;
    [matrix.hidden, lines.hidden] = [view !== "matrix", view !== "lines"];
    chosen.style.cssText = `left:${head * side}px;top:${layer * side}px;width:${side}px;height:${side}px`;
    chosen.hidden = overview.hidden;
    cursor.style.cssText = `left:${column * cell}px;top:${row * cell}px;width:${cell}px;height:${cell}px`;
    if (before === start || before.layer !== layer || before.head !== head || before.kept !== kept) map.getContext("2d").putImageData(pixels(layer, head, kept), 0, 0);
    if (view === "lines") drawLines();
    for (const span of stage.querySelectorAll("span")) span.classList.toggle("here", Number(span.dataset.index) === state[span.dataset.axis]);
    stage.ariaLabel = `Attention weights of layer ${layer}, head ${head}. ${help}`;
    const short = (text) => (text.length > 24 ? `${text.slice(0, 24)}…` : text);
    const name = (tokens, index) => `“\u2068${short(readable(tokens[index]))}\u2069” (${index})`; // isolated: text direction
    const order = [...keys.keys()].sort((a, b) => at(row, b) - at(row, a)).slice(0, 4);
    readout.children[0].textContent = `layer ${layer}, head ${head}: query ${name(queries, row)} → key ${name(keys, column)}: ${number(at(row, column))}`;
    readout.children[1].textContent = `largest in this row: ${order.map((key) => `${name(keys, key)} ${number(at(row, key))}`).join(", ")}`;
  }

  // --- Mouse and keyboard ---
  const under = (event) => {
    const span = event.target.closest?.("span[data-axis]");
    if (span) return { [span.dataset.axis]: Number(span.dataset.index) };
    if (event.target.closest?.(".plot") === null) return null;
    const box = map.getBoundingClientRect();
    return { row: clamp(Math.floor((event.clientY - box.top) / cell), T), column: clamp(Math.floor((event.clientX - box.left) / cell), S) };
  };
  stage.addEventListener("pointermove", (event) => {
    const { row = state.row, column = state.column } = under(event) ?? {};
    if (state.kept >= 0 ? column !== state.column : row !== state.row || column !== state.column) update(state.kept >= 0 ? { column } : { row, column });
  });
  stage.addEventListener("click", (event) => {
    const { row } = under(event) ?? {};
    if (row !== undefined) update({ row, kept: state.kept === row ? -1 : row });
  });
  overview.addEventListener("click", (event) => update({ layer: clamp(Math.floor(event.offsetY / side), layers), head: clamp(Math.floor(event.offsetX / side), heads) }));
  const moves = {
    ArrowUp: () => ({ row: clamp(state.row - 1, T) }), ArrowDown: () => ({ row: clamp(state.row + 1, T) }),
    ArrowLeft: () => ({ column: clamp(state.column - 1, S) }), ArrowRight: () => ({ column: clamp(state.column + 1, S) }),
    Home: () => ({ column: 0 }), End: () => ({ column: S - 1 }),
    Enter: () => ({ kept: state.kept === state.row ? -1 : state.row }), Escape: () => ({ kept: -1 }),
    "[": () => ({ head: clamp(state.head - 1, heads) }), "]": () => ({ head: clamp(state.head + 1, heads) }),
    "{": () => ({ layer: clamp(state.layer - 1, layers) }), "}": () => ({ layer: clamp(state.layer + 1, layers) }),
  };
  stage.addEventListener("keydown", (event) => {
    if (!(event.key in moves) || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    update(moves[event.key]());
    const here = state.view === "matrix" ? cursor : lines.querySelector("span.here");
    here.scrollIntoView({ block: "nearest", inline: "nearest" });
  });

  // A shadow tree keeps the notebook's styles out and ours in; the attribute keeps JupyterLab's own shortcuts out.
  const box = make("div", { data: { lmSuppressShortcuts: "true" } });
  box.attachShadow({ mode: "open" }).append(make("style", { textContent: data.style }), root);
  host.append(box);
  host.dataset.ready = "true";
  host.querySelector("img").hidden = true;
  host.querySelector("img").style.display = "none";
  drawOverview();
  update({ row: T - 1, column: 0 });
  new MutationObserver((_, observer) => (host.isConnected ? state.view === "lines" && drawLines() : observer.disconnect()))
    .observe(document.body, { attributes: true }); // a change of theme
}
