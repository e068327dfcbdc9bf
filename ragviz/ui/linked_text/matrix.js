// Claim × passage. Long tables draw only the rows in sight: a thousand claims by fifty passages stay quick.

const ROW = 24;
const DRAW_ALL_BELOW = 80;
const WIDE = 12;
const CELL = { s: ["sup", "supports"], c: ["con", "contradicts"], j: ["sup", "supports together with other passages"], k: ["con", "contradicts together with other passages"] };
const EMPTY = { ".": ["·", "silent"], u: ["○", "unjudged"], " ": ["", "beyond k"] };

function buildMatrix(view) {
  const { data } = view;
  const head = el("tr", "", el("th", "first", "claim"));
  data.passages.forEach((p) => head.appendChild(el("th", "", "#" + p.r)));
  head.append(el("th", "sep", "verdict"), el("th", "sep wide", "citation"));
  const table = el("table", "mx", columns(data.passages.length), el("thead", "", head), el("tbody"));
  table.setAttribute("role", "grid");
  table.setAttribute("aria-label", "Claims by passages");
  table.setAttribute("aria-rowcount", String(data.claims.length + 1));
  table.style.minWidth = 196 + 33 * data.passages.length + 48 + 190 + "px";
  const scroller = el("div", "mxwrap", table);
  view.matrix = { table, body: table.tBodies[0], scroller, rows: new Map(), cell: [0, 0] };
  scroller.addEventListener("scroll", () => drawRows(view), { passive: true });
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("td");
    if (cell) activateCell(view, cell._row, cell._column);
  });
  table.addEventListener("keydown", (event) => moveInMatrix(view, event));
  drawRows(view);
  return el("section", "box tight matrix", el("div", "row", heading(2, "Claim × passage", "pick a cell to see its evidence")), scroller);
}

// Fixed widths: a table of fifty columns that measures its own cells is the slowest part of the page.
function columns(n) {
  const group = el("colgroup");
  for (const width of [196, ...Array(n).fill(33), 48, 0]) {
    const column = document.createElement("col");
    if (width) column.style.width = width + "px";
    group.appendChild(column);
  }
  return group;
}

function drawRows(view) {
  const { matrix, data } = view;
  const n = data.claims.length;
  const all = n < DRAW_ALL_BELOW;
  const first = all ? 0 : Math.max(0, Math.floor(matrix.scroller.scrollTop / ROW) - 6);
  const last = all ? n : Math.min(n, first + 36);
  if (matrix.first === first && matrix.last === last) return;
  [matrix.first, matrix.last] = [first, last];
  const focused = view.root.activeElement?.closest?.("td");
  matrix.rows.clear();
  const rows = [];
  if (first > 0) rows.push(spacer(first));
  for (let c = first; c < last; c++) {
    const row = claimRow(view, c);
    matrix.rows.set(c, row);
    rows.push(row);
  }
  if (last < n) rows.push(spacer(n - last));
  matrix.body.replaceChildren(...rows);
  if (focused) cellAt(view, ...matrix.cell)?.focus({ preventScroll: true });
}

function spacer(rows) {
  const row = el("tr", "spacer");
  row.setAttribute("aria-hidden", "true");
  row.style.height = rows * ROW + "px";
  return row;
}

function claimRow(view, c) {
  const { data, matrix } = view;
  const claim = data.claims[c];
  const row = el("tr", c === view.selected ? "on" : "");
  row.setAttribute("aria-rowindex", String(c + 2));
  // In a wide table the verdict column is out of sight: the verdict then stands beside the claim as well.
  const wide = data.passages.length > WIDE ? claimMarks(claim) : null;
  const name = el("td", "cut first", wide, el("b", "", claim.id), "\u2002", claimText(view, c));
  const cells = [name];
  for (let p = 0; p < data.passages.length; p++) cells.push(passageCell(claim.m[p] ?? ".", claim.id, data.passages[p].r));
  cells.push(el("td", "sep", claimMarks(claim)), citationCell(claim));
  cells.forEach((cell, column) => {
    cell._row = c;
    cell._column = column;
    cell.tabIndex = matrix.cell[0] === c && matrix.cell[1] === column ? 0 : -1;
  });
  row.append(...cells);
  return row;
}

function passageCell(letter, claim, rank) {
  if (CELL[letter]) {
    const cell = el("td", "", glyph(CELL[letter][0], CELL[letter][1]));
    if (letter === "j" || letter === "k") cell.classList.add("joined");
    return cell;
  }
  const [text, word] = EMPTY[letter] || EMPTY["."];
  const cell = el("td", letter === "u" ? "mute" : "dot", text);
  cell.setAttribute("aria-label", word);
  return cell;
}

function citationCell(claim) {
  const cell = el("td", "sep wide cut");
  if (!claim.c) cell.appendChild(el("span", "mute", "– none"));
  (claim.c || []).forEach(([marker, words, ok], i) => cell.append(i ? "; " : "", el("span", ok ? "mute" : "cite bad", marker), " ", words));
  return cell;
}

function claimText(view, c) {
  view.claimTexts ??= textsFromAnswer(view.data);
  return view.data.claims[c].t || view.claimTexts[c];
}

// Claims that are a stretch of the answer do not bring their text a second time.
function textsFromAnswer(data) {
  const texts = data.claims.map(() => "");
  for (const [string, claims = [], , citation = -1] of data.answer) {
    if (citation < 0) for (const c of claims) texts[c] += string;
  }
  return texts;
}

function cellAt(view, row, column) {
  return view.matrix.rows.get(row)?.cells[column];
}

function moveInMatrix(view, event) {
  const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
  const { matrix, data } = view;
  if (step) {
    event.preventDefault();
    const row = Math.min(data.claims.length - 1, Math.max(0, matrix.cell[0] + step[0]));
    const column = Math.min(data.passages.length + 2, Math.max(0, matrix.cell[1] + step[1]));
    focusCell(view, row, column);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    activateCell(view, ...matrix.cell);
  }
}

function focusCell(view, row, column) {
  const { matrix } = view;
  const before = cellAt(view, ...matrix.cell);
  if (before) before.tabIndex = -1;
  matrix.cell = [row, column];
  showRow(view, row);
  const cell = cellAt(view, row, column);
  if (!cell) return;
  cell.tabIndex = 0;
  cell.focus({ preventScroll: true });
}

function showRow(view, row) {
  const { scroller } = view.matrix;
  const top = row * ROW;
  if (top < scroller.scrollTop || top + 2 * ROW > scroller.scrollTop + scroller.clientHeight - ROW) {
    scroller.scrollTo({ top: Math.max(0, top - scroller.clientHeight / 3), behavior: "instant" });
  }
  drawRows(view);
  if (view.data.passages.length > WIDE) showColumn(view, row);
}

// The first passage that says something about the claim, not hidden behind the claim's own column.
function showColumn(view, row) {
  const { scroller } = view.matrix;
  const first = (view.data.claims[row].e || []).map((e) => view.data.evidence[e][1]).sort((a, b) => a - b)[0];
  const cell = first === undefined ? undefined : cellAt(view, row, first + 1);
  if (!cell) return;
  const name = cellAt(view, row, 0).offsetWidth;
  const left = cell.offsetLeft - scroller.scrollLeft;
  if (left < name || left + cell.offsetWidth > scroller.clientWidth) scroller.scrollLeft = Math.max(0, cell.offsetLeft - (scroller.clientWidth + name) / 2);
}

// A cell lights its claim and brings that passage's evidence into view.
function activateCell(view, row, column) {
  focusCell(view, row, column);
  if (view.selected !== row) view.pick(row, { focus: false });
  const p = column - 1;
  const evidence = (view.data.claims[row].e || []).find((e) => view.data.evidence[e][1] === p);
  if (evidence !== undefined) showEvidence(view, evidence);
  else if (view.cards[p]) reveal(view.pane, view.cards[p].node);
}

function markMatrix(view) {
  for (const [c, row] of view.matrix.rows) {
    row.classList.toggle("on", c === view.selected);
    for (const cell of row.cells) cell.classList.toggle("cell-on", c === view.selected && cell.firstChild?.classList?.contains("g") && cell._column > 0 && cell._column <= view.data.passages.length);
  }
}
