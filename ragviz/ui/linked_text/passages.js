// Passages by rank, as the model saw them. Quiet underlines show all evidence; the picked claim's evidence is lit.

function buildPassages(view) {
  const { data } = view;
  view.evidencePieces = data.evidence.map(() => []);
  view.passageTokens = new Map();
  const pane = el("div", "pane");
  pane.tabIndex = 0;
  pane.setAttribute("role", "region");
  pane.setAttribute("aria-label", "Passages by rank");
  view.cards = [];
  later(view, drawCards(view, pane), view.large ? cardsAtOnce(data.passages) : Infinity);
  if (!data.passages.length) pane.appendChild(el("div", "quiet", data.noPassages));
  view.pane = pane;

  const only = el("input");
  only.type = "checkbox";
  only.addEventListener("change", () => pane.classList.toggle("only", only.checked));
  const box = el("section", "box passages",
    el("div", "pane-h", heading(2, "Passages", data.passagesNote), el("label", "chk push", only, "only with evidence"), el("span", "cap", data.hasScores ? "score" : "")),
    pane);
  if (data.smaller) box.appendChild(el("div", "note act", el("b", "", "If k were smaller: "), data.smaller));
  return box;
}

// As many as fill the pane twice over, by their characters.
function cardsAtOnce(passages) {
  let characters = 0;
  const filled = passages.findIndex((p) => (characters += p.t.reduce((n, piece) => n + piece[0].length, 0)) > 8_000);
  return filled < 0 ? passages.length + 1 : filled + 2;
}

function* drawCards(view, pane) {
  const uses = usesByPassage(view.data);
  for (const [p, passage] of view.data.passages.entries()) {
    const card = passageCard(view, passage, uses[p]);
    view.cards.push(card);
    pane.appendChild(card.node);
    yield;
  }
}

// Which claims each passage supports or contradicts, in words, each once.
function usesByPassage(data) {
  const uses = data.passages.map(() => new Set());
  for (const [c, p, , , side] of data.evidence) uses[p].add((side === "s" ? "supports " : "contradicts ") + data.claims[c].id);
  return uses.map((words) => [...words]);
}

function passageCard(view, passage, words) {
  const { data } = view;
  const use = el("span", "sc", words.length > 3 ? words.slice(0, 3).join(", ") + " +" + (words.length - 3) : words.join(", "));
  const head = el("div", "hd", el("b", "", "#" + passage.r), el("b", "name", passage.n), el("span", "src", passage.s),
    passage.f ? el("span", "flag", passage.f) : null, use, data.hasScores ? el("span", "num", passage.sc) : null);
  const text = el("div", "tx");
  text.dir = "auto";
  for (const piece of passage.t) text.appendChild(passagePiece(view, piece));
  const node = el("div", "psg" + (passage.out ? " out" : "") + (words.length ? " used" : ""), head, text);
  node.dataset.passage = String(passage.r);
  if (view.large) expectHeight(node, passage.t.reduce((n, piece) => n + piece[0].length, 0), 96, 22, 36);
  return { node, use, quiet: use.textContent };
}

function passagePiece(view, [string, evidence = [], tokens = []]) {
  const { data } = view;
  if (!evidence.length && !tokens.length) return say(document.createDocumentFragment(), string);
  const against = evidence.some((e) => data.evidence[e][4] === "c");
  const span = el("span", evidence.length ? "ev q " + (against ? "con" : "sup") : "");
  span._quiet = span.className;
  span.appendChild(tokens.length ? tokenMark(view, view.passageTokens, string, tokens) : say(document.createDocumentFragment(), string));
  for (const e of evidence) view.evidencePieces[e].push(span);
  return span;
}

// A detail that two texts disagree on: outlined at rest, filled when its claim is picked.
function tokenMark(view, register, string, tokens) {
  const mark = el("span", "tok " + restingToken(view, tokens), string);
  for (const t of tokens) register.set(t, [...(register.get(t) || []), mark]);
  mark._quiet = mark.className;
  return mark;
}

function restingToken(view, tokens) {
  return tokens.some((t) => view.data.tokens[t][1] === "c") ? "cold" : "off";
}

// Light what the claim rests on; returns the lit pieces in reading order of the evidence.
function lightEvidence(view, c) {
  for (const undo of view.lit || []) undo();
  view.lit = [];
  if (c === null) return [];
  const { data } = view;
  const pieces = [];
  for (const e of data.claims[c].e || []) {
    const [, p, , , side] = data.evidence[e];
    const name = side === "s" ? "sup" : "con";
    for (const piece of view.evidencePieces[e]) {
      piece.className = "ev lit " + name + (data.claims[c].h ? " machine" : "");
      view.lit.push(() => { piece.className = piece._quiet; });
      pieces.push(piece);
    }
    const card = view.cards[p];
    if (card && !card.node.classList.contains(name)) {
      card.node.classList.add(name, "lit");
      card.node.classList.toggle("machine", Boolean(data.claims[c].h));
      card.use.replaceChildren(el("span", "tag", glyph(name, null), (data.claims[c].h ? data.judge + ": " : "") + (side === "s" ? "supports " : "contradicts ") + data.claims[c].id));
      view.lit.push(() => {
        card.node.classList.remove(name, "lit", "machine");
        card.use.textContent = card.quiet;
      });
    }
  }
  data.tokens.forEach(([owner, side], t) => {
    if (owner !== c) return;
    for (const mark of [...(view.answerTokens.get(t) || []), ...(view.passageTokens.get(t) || []), ...(view.referenceTokens?.get(t) || [])]) {
      mark.className = "tok hot" + (side === "s" ? " s" : "") + (data.claims[c].h ? " machine" : "");
      view.lit.push(() => { mark.className = mark._quiet; });
    }
  });
  return pieces;
}
