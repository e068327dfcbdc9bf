// The certificate of the picked claim: what is said for it and against it, word for word, and by whom.

const TIER = { e: "exact", f: "folded", z: "fuzzy" };

function drawCertificate(view) {
  const box = view.certificate;
  box.replaceChildren();
  if (view.selected === null) return box.append(...nothingPicked(view));
  const { data } = view;
  const claim = data.claims[view.selected];
  const detail = { ...claim, ...(data.detail?.id === claim.id ? data.detail : {}) };
  const mark = el("span", "v strong", claimMark(claim), WORD[claim.v]);
  const copy = button("Copy", "btn sm push", () => copyText(copy, certificateText(view, claim, detail), "Copy"));
  box.appendChild(el("div", "row", heading(2, "Certificate for " + claim.id), mark, el("span", "cap", confidenceWords(data, claim, detail)), copy));
  if (claim.t) box.appendChild(el("div", "claimtext", claim.t));
  if (claim.h) box.appendChild(line(el("span", "mute", "overruled by"), detail.by || "a person"));
  if (claim.w) box.append(...deniedByReference(claim));
  if (claim.h) box.appendChild(machineHead(data, claim));
  for (const clash of claim.k || []) box.appendChild(versus(view, claim, clash));
  for (const e of claim.e || []) box.appendChild(evidenceLine(view, e));
  for (const [name, words] of certificateWords(claim, detail)) box.appendChild(line(el("span", "mute", name), words));
}

// After a person's word the machine's stays, under its own name: its evidence is not the person's.
function machineHead(data, claim) {
  return el("div", "machinehead", el("span", "", "What " + data.judge + " said"), el("span", "v", verdictMark(claim.j), WORD[claim.j]));
}

function deniedByReference(claim) {
  const [clashes, quotes] = claim.w;
  const words = quotes.length ? el("q", "", quotes.join(" … ")) : "the expected answer says otherwise";
  if (quotes.length) words.dir = "auto";
  const rows = [line(el("span", "v top", glyph("ref", null), "reference"), quotes.length ? el("span", "", el("span", "meta", "supported by a passage, denied by the expected answer:"), words) : words)];
  for (const [kind, said, found, saidValue, foundValue] of clashes) {
    rows.push(el("div", "versus", el("span", "mute", claim.id), said ? el("span", "tok hot", said) : el("span", "mute", "says nothing"), el("span", "mute", "≠ reference"),
      found ? el("span", "tok hot", found) : el("span", "mute", "says nothing"), el("span", "mute push", kind + " · " + saidValue + " ≠ " + foundValue)));
  }
  return rows;
}

function nothingPicked(view) {
  const { data } = view;
  if (!data.claims.length) return [el("div", "row", heading(2, "No claims")), el("div", "quiet", data.noClaims)];
  const counts = {};
  for (const claim of data.claims) counts[claim.v] = (counts[claim.v] || 0) + 1;
  const people = data.claims.filter((claim) => claim.h).length;
  const denied = data.claims.filter((claim) => claim.w).length;
  const legend = el("div", "legend");
  for (const letter of ["s", "x", "n", "c", "u"]) {
    if (counts[letter]) legend.appendChild(el("span", "v", verdictMark(letter), counts[letter] + " " + WORD[letter]));
  }
  if (denied) legend.appendChild(el("span", "v", glyph("ref", null), denied + " denied by the reference"));
  if (people) legend.appendChild(el("span", "v", glyph("per", null), people + " by a person"));
  return [el("div", "row", heading(2, "Certificate", "pick a claim to see what it rests on")), legend, worstClaims(view)];
}

// Where to start: the claims that are worst off, each one click away.
function worstClaims(view) {
  const { data } = view;
  // A claim that the reference denies is no good one, whatever a passage says.
  const severity = (claim) => (claim.w ? Math.min(SEVERITY.x, SEVERITY[claim.v]) : SEVERITY[claim.v]);
  const order = data.claims.map((_, c) => c).sort((a, b) => severity(data.claims[a]) - severity(data.claims[b]) || a - b);
  const list = el("div", "worst");
  for (const c of order.slice(0, 8)) {
    const row = button("", "cut", () => view.pick(c, { focus: true }));
    row.append(claimMarks(data.claims[c]), el("b", "", data.claims[c].id), say(el("span", ""), claimText(view, c)));
    list.appendChild(row);
  }
  if (order.length > 8) list.appendChild(el("span", "mute", "and " + (order.length - 8) + " more in the answer"));
  return list;
}

function confidenceWords(data, claim, detail) {
  return claim.conf === undefined || detail.by ? "" : data.confs[claim.conf];
}

function versus(view, claim, [kind, said, found, saidValue, foundValue, p, agreeing = []]) {
  const row = el("div", "versus", el("span", "mute", claim.id), said ? el("span", "tok hot", said) : el("span", "mute", "says nothing"));
  for (const a of agreeing) {
    row.append(el("span", "mute", "= #" + view.data.passages[a].r), el("span", "tok hot s", said));
  }
  row.append(el("span", "mute", "≠" + (p >= 0 ? " #" + view.data.passages[p].r : "")), found ? el("span", "tok hot", found) : el("span", "mute", "says nothing"));
  row.appendChild(el("span", "mute push", kind + " · " + saidValue + " ≠ " + foundValue));
  return row;
}

function evidenceLine(view, e) {
  const [, p, start, end, side, tier, confidence, together, cutQuote] = view.data.evidence[e];
  const passage = view.data.passages[p];
  const name = side === "s" ? "sup" : "con";
  const words = ["#" + passage.r + " " + passage.n, "characters " + start + "–" + end, TIER[tier]];
  if (confidence !== null) words.push("p " + (confidence / 100).toFixed(2));
  if (together) words.push("together with other passages");
  const quote = cutQuote ? el("q", "", cutQuote) : el("q", "", ...view.evidencePieces[e].flatMap(asQuoted));
  quote.dir = "auto";
  const show = button("", "quote", () => showEvidence(view, e));
  show.append(quote, el("span", "meta", words.join(" · ")));
  return line(el("span", "v top", glyph(name, null), side === "s" ? "supports" : "contradicts"), show);
}

// The words of a lit piece without their marks; hidden characters stay the tokens they are.
function asQuoted(piece) {
  const copy = piece.cloneNode(true);
  for (const mark of copy.querySelectorAll(".tok")) mark.replaceWith(...mark.childNodes);
  return [...copy.childNodes];
}

function line(left, right) {
  return el("div", "certline", left, typeof right === "string" ? el("span", "", right) : right);
}

function certificateWords(claim, detail) {
  const rows = [];
  if (!claim.e && (claim.j ?? claim.v) === "n") rows.push(["evidence", "no passage supports it and none contradicts it"]);
  if (detail.near) rows.push(["closest", detail.near]);
  for (const [marker, words] of claim.c || []) rows.push(["citation " + marker, words]);
  if (detail.src) rows.push(["source", detail.src]);
  if (detail.why) rows.push([claim.v === "u" ? "no verdict" : "reason", detail.why]);
  if (detail.alarm) rows.push(["warning", detail.alarm]);
  if (detail.who) rows.push(["decided by", detail.who]);
  return rows;
}

function certificateText(view, claim, detail) {
  const sure = confidenceWords(view.data, claim, detail);
  const rows = [claim.id + ": " + WORD[claim.v] + (sure ? " · " + sure : ""), claim.t || claimText(view, view.selected)];
  if (claim.h) rows.push("overruled by: " + (detail.by || "a person"), "what " + view.data.judge + " said: " + WORD[claim.j]);
  for (const quote of claim.w?.[1] || []) rows.push("denied by the reference: “" + quote + "”");
  for (const e of claim.e || []) {
    const [, p, start, end, side, tier, , , cutQuote] = view.data.evidence[e];
    const passage = view.data.passages[p];
    const quote = cutQuote || view.evidencePieces[e].flatMap(asQuoted).map((node) => (node.className === "hid" ? "⟨" + node.textContent + "⟩" : node.textContent)).join("");
    rows.push((side === "s" ? "supports" : "contradicts") + ": “" + quote + "” (#" + passage.r + " " + passage.n + ", characters " + start + "–" + end + ", " + TIER[tier] + ")");
  }
  for (const [name, words] of certificateWords(claim, detail)) rows.push(name + ": " + words);
  return plain(rows.join("\n"));
}

async function copyText(control, text, label) {
  try {
    await navigator.clipboard.writeText(text);
    control.textContent = "Copied";
  } catch {
    control.textContent = "Not allowed here";
  }
  setTimeout(() => { control.textContent = label; }, 1500);
}
