// The answer: claims as buttons in running text. Pieces never overlap; a piece that belongs to two claims knows both.

const SEVERITY = { c: 0, x: 1, n: 2, u: 3, s: 4 };

function buildAnswer(view) {
  const text = el("div", "ans");
  text.dir = "auto";
  view.claimRuns = view.data.claims.map(() => []);
  view.answerTokens = new Map();
  later(view, drawPieces(view, text), view.large ? 60 : Infinity);
  return text;
}

function* drawPieces(view, text) {
  const { data } = view;
  let run = null;
  let before = [];
  let place = stretch(view, text);
  for (const [i, piece] of data.answer.entries()) {
    const [string, claims = [], tokens = [], citation = -1, look = ""] = piece;
    const following = (data.answer[i + 1] || [])[1] || [];
    if (claims.length === 0) {
      run = null;
      place.node.appendChild(outsideClaims(data, string, citation, look));
      place.characters += string.length;
      if (isFull(view, place)) place = stretch(view, text);
    } else {
      if (!run || !sameClaims(before, claims)) {
        run = claimRun(view, claims);
        place.node.appendChild(run);
        place.claims += 1;
      }
      place.characters += string.length + 8;
      const starting = claims.filter((c) => !before.includes(c));
      const ending = claims.filter((c) => !following.includes(c));
      fillRun(view, run, { string, look, tokens, citation }, starting, ending);
    }
    before = claims;
    yield;
  }
  if (place.node !== text) expectHeight(place.node, place.characters, 66, 29);
}

// A long answer is cut between claims, so that the browser need not lay out in one piece what nobody looks at.
function stretch(view, text) {
  const node = view.large ? el("div", "stretch") : text;
  if (view.large) text.appendChild(node);
  return { node, claims: 0, characters: 0 };
}

function isFull(view, { node, claims, characters }) {
  if (!view.large || claims < CLAIMS_PER_STRETCH) return false;
  expectHeight(node, characters, 66, 29);
  return true;
}

function sameClaims(a, b) {
  return a.length === b.length && a.every((c, i) => c === b[i]);
}

function outsideClaims(data, string, citation, look) {
  if (citation >= 0) return citationMark(data, string, citation);
  return el("span", [/[\p{L}\p{N}]/u.test(string) ? "free" : "gap", lookOf(look)].join(" ").trim(), string);
}

// How Markdown would set a piece: its signs stay and step back, its words are strong or code. The text itself is drawn as it is.
function lookOf(look) {
  if (look.includes("S")) return "sign";
  return [look.includes("B") && "bold", look.includes("K") && "code"].filter(Boolean).join(" ");
}

function looking(look, ...children) {
  const name = lookOf(look);
  return name ? [el("span", name, ...children)] : children;
}

function citationMark(data, string, citation) {
  return el("span", data.citations[citation][1] ? "cite" : "cite bad", string);
}

function claimRun(view, claims) {
  const { data } = view;
  const worst = [...claims].sort((a, b) => SEVERITY[data.claims[a].v] - SEVERITY[data.claims[b].v])[0];
  const run = el("span", "cl " + CLASS[data.claims[worst].v]);
  run.setAttribute("role", "button");
  run.setAttribute("aria-pressed", "false");
  run.tabIndex = -1;
  run.dataset.claims = claims.map((c) => data.claims[c].id).join(" ");
  run._claims = [worst, ...claims.filter((c) => c !== worst)];
  for (const c of claims) view.claimRuns[c].push(run);
  run.addEventListener("click", () => pickRun(view, run));
  run.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    event.stopPropagation();
    pickRun(view, run);
  });
  return run;
}

// A run of two claims gives first one, then the other, then none.
function pickRun(view, run) {
  const at = run._claims.indexOf(view.selected);
  view.pick(at < 0 ? run._claims[0] : run._claims[at + 1] ?? null, { focus: true });
}

// Chip and first word, last word and id never break apart at a line end.
function fillRun(view, run, { string, look, tokens, citation }, starting, ending) {
  const { data } = view;
  const chips = starting.map((c) => claimMark(data.claims[c]));
  const ids = ending.flatMap((c) => [el("span", "id", data.claims[c].id), deniedMark(data.claims[c])]);
  if (citation < 0 && tokens.length) {
    // One detail is one mark, also where Markdown's signs stand in it.
    const open = chips.length ? null : run._mark;
    const mark = open && sameClaims(open._tokens, tokens) ? open : tokenMark(view, view.answerTokens, "", tokens);
    mark._tokens = tokens;
    mark.append(...looking(look, say(document.createDocumentFragment(), string)));
    if (mark !== open) run.appendChild(chips.length ? el("span", "nowrap", ...chips, mark) : mark);
    if (ids.length) mark.parentNode.append(...ids.filter(Boolean));
    run._mark = mark;
    return;
  }
  run._mark = null;
  if (citation >= 0) {
    const [set] = looking(look, citationMark(data, string, citation));
    run.appendChild(chips.length || ids.length ? el("span", "nowrap", ...chips, set, ...ids) : set);
    return;
  }
  const first = chips.length ? string.match(/^\s*\S{1,24}(?=\s|$)/u)?.[0] ?? "" : "";
  const rest = string.slice(first.length);
  const last = ids.length ? rest.match(/\S{1,24}$/u)?.[0] ?? "" : "";
  if (chips.length) run.appendChild(el("span", "nowrap", ...chips, ...looking(look, first), rest === "" ? el("span", "", ...ids) : null));
  const middle = rest.slice(0, rest.length - last.length);
  if (middle && lookOf(look)) run.append(...looking(look, middle));
  else say(run, middle);
  if (ids.length && rest !== "") run.appendChild(el("span", "nowrap", ...looking(look, last), ...ids));
}
