// The Inspector's viewer. Python sends text already cut into pieces; a click is answered here, Python hears of it afterwards.
//
// Echo race: Python's answer to an older click may arrive after a newer click. Every choice carries a rising number;
// an answer is obeyed only when it is not older than the latest choice made here, or when it carries none (Back, deep link).

const views = new WeakMap();

export default function ({ data: bytes, parentElement, setStateValue }) {
  const data = JSON.parse(new TextDecoder().decode(bytes));
  let view = views.get(parentElement);
  if (!view) {
    view = { root: parentElement, seq: 0, selected: null, signature: null };
    views.set(parentElement, view);
    keepPresses(view);
  }
  view.send = setStateValue;
  if (view.signature !== data.signature) {
    view.data = data;
    view.signature = data.signature;
    build(view);
  } else {
    view.data.detail = data.detail;
  }
  view.link = data.link;
  if (data.seq === null || data.seq >= view.seq) {
    view.seq = Math.max(view.seq, data.seq ?? 0);
    const wanted = view.data.claims.findIndex((claim) => claim.id === data.selected);
    show(view, wanted < 0 ? null : wanted, { scroll: view.shown !== data.selected });
    view.shown = data.selected;
  }
}

function build(view) {
  const { data } = view;
  view.selected = null;
  view.lit = [];
  view.evidenceAt = -1;
  view.claimTexts = undefined;
  view.drawings = [];
  view.large = isLarge(data);
  const frame = el("div", view.large ? "frame large" : "frame");
  const holder = view.root.querySelector("#viewer");
  holder.replaceChildren(frame);
  view.frame = frame;
  view.pick = (c, how) => pick(view, c, how);
  view.cards = [];
  if (data.mode === "snippet") {
    view.pane = frame;
    view.evidencePieces = data.evidence.map(() => []);
    view.passageTokens = new Map();
    frame.appendChild(buildAnswer(view));
    return;
  }
  frame.tabIndex = -1;
  frame.setAttribute("role", "group");
  frame.setAttribute("aria-label", "Claims and their evidence");
  view.certificate = el("section", "box certificate");
  view.certificate.setAttribute("aria-live", "polite");
  const answer = answerBox(view);
  const passages = buildPassages(view);
  frame.append(buildHead(view), el("div", "viewer", el("div", "stack", answer, view.certificate), el("div", "stack", passages, buildMatrix(view))), keyLegend(), buildHelp(view));
  frame.addEventListener("keydown", (event) => onKey(view, event));
  view.tabStop = null;
  if (view.claimRuns.length) makeTabStop(view, 0);
}

function buildHead(view) {
  const { data } = view;
  const title = heading(1, data.question);
  title.dir = "auto";
  const scores = el("div", "scores");
  scores.tabIndex = 0;
  scores.setAttribute("role", "group");
  scores.setAttribute("aria-label", "Scores of this trace");
  for (const [label, value, note, hint] of data.scores) {
    const score = scores.appendChild(el("div", "", el("div", "l", label), el("div", "n", value, note ? el("small", "", note) : null)));
    if (hint) score.title = hint;
  }
  const copy = button("Copy link", "copylink", () => copyText(copy, linkTo(view), "Copy link"));
  return el("header", "head", el("div", "cap", "Inspector · ", el("span", "mono", data.trace), data.crumb ? " · " + data.crumb : null, copy), title, scores);
}

function linkTo(view) {
  const claim = view.selected === null ? "" : (view.link ? "&" : "") + "claim=" + encodeURIComponent(view.data.claims[view.selected].id);
  return location.origin + location.pathname + "?" + view.link + claim;
}

function answerBox(view) {
  const { data } = view;
  const text = buildAnswer(view);
  view.referenceTokens = new Map();
  view.answerPane = el("div", "anspane", text);
  const box = el("section", "box answer", el("div", "row", heading(2, "Answer", data.answerNote), el("span", "push cap", data.claims.length ? "grey: no claim" : "")), view.answerPane);
  if (data.reference) {
    const said = el("span", "reftext");
    said.dir = "auto";
    for (const [string, tokens = []] of data.reference[0]) {
      if (tokens.length) said.appendChild(tokenMark(view, view.referenceTokens, string, tokens));
      else say(said, string);
    }
    box.appendChild(el("div", "refrow", el("span", "cap", "Reference", data.reference[1] ? el("br") : null, data.reference[1]), said));
  }
  return box;
}

// A choice made here: shown at once, then told to Python.
function pick(view, c, { focus = false } = {}) {
  const id = c === null ? null : view.data.claims[c].id;
  view.seq += 1;
  view.shown = id;
  show(view, c, { scroll: true });
  if (focus && c !== null) focusClaim(view, c);
  view.send("selected", { id, seq: view.seq });
}

// What is drawn anew between press and release takes the pressed claim away with it, and the browser then knows of no click.
function keepPresses(view) {
  let pressed = null;
  view.root.addEventListener("pointerdown", (event) => { pressed = event.button === 0 ? event.target.closest?.(".cl, .mx td") : null; });
  view.root.addEventListener("pointerup", (event) => {
    const was = pressed;
    pressed = null;
    if (!was || was.isConnected) return;
    const now = event.target.closest?.(".cl, .mx td");
    if (now && now.dataset.claims === was.dataset.claims && now._row === was._row && now._column === was._column) now.click();
  });
}

function show(view, c, { scroll }) {
  if (c !== null) drawUntil(view, () => isDrawn(view, c));
  const before = view.selected;
  view.selected = c;
  for (const run of before === null ? [] : view.claimRuns[before]) {
    run.classList.remove("on");
    run.parentNode.classList.remove("near");
    run.setAttribute("aria-pressed", "false");
  }
  for (const run of c === null ? [] : view.claimRuns[c]) {
    run.classList.add("on");
    run.parentNode.classList.add("near");
    run.setAttribute("aria-pressed", "true");
  }
  if (view.data.mode === "snippet") return;
  const pieces = lightEvidence(view, c);
  view.litPieces = pieces;
  view.evidenceAt = pieces.length ? 0 : -1;
  if (c !== null) makeTabStop(view, c);
  if (c !== null && scroll) {
    // All writes to the page come before the first measurement, so the browser lays it out once.
    if (pieces[0]) reveal(view.pane, pieces[0]);
    if (view.claimRuns[c][0]) reveal(view.answerPane, view.claimRuns[c][0]);
  }
  afterEvidence(view, () => {
    drawCertificate(view);
    if (c !== null && scroll) showRow(view, c);
    markMatrix(view);
  });
}

// Evidence first: certificate and matrix of a large trace follow once that is painted. A hidden tab paints nothing.
function afterEvidence(view, work) {
  cancelAnimationFrame(view.frameRequest);
  clearTimeout(view.frameTimer);
  if (!view.large || document.hidden) return work();
  view.frameRequest = requestAnimationFrame(() => { view.frameTimer = setTimeout(work); });
}

function isDrawn(view, c) {
  const claim = view.data.claims[c];
  const inAnswer = view.claimRuns[c].length > 0 || !view.drawings.length;
  return inAnswer && (claim.e || []).every((e) => view.data.mode === "snippet" || view.cards[view.data.evidence[e][1]]);
}

function showEvidence(view, e) {
  const piece = view.evidencePieces[e][0];
  if (!piece) return;
  reveal(view.pane, piece);
  piece.classList.remove("pulse");
  void piece.offsetWidth;
  piece.classList.add("pulse");
}

function makeTabStop(view, c) {
  if (view.tabStop) view.tabStop.tabIndex = -1;
  view.tabStop = view.claimRuns[c][0];
  if (view.tabStop) view.tabStop.tabIndex = 0;
}

function focusClaim(view, c) {
  view.claimRuns[c][0]?.focus({ preventScroll: true });
}
