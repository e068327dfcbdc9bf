// Building blocks. Trace text reaches the page through text nodes only; nothing here parses HTML.

const CLASS = { s: "sup", n: "not", c: "con", x: "cfl", u: "unj" };
const WORD = { s: "supported", n: "not supported", c: "contradicted", x: "conflicted", u: "unjudged" };
const SHAPE = {
  sup: ["M2.2 6.4 4.8 9 9.8 3.2"],
  not: ["M3.6 4.1c.1-1.4 1.1-2.1 2.4-2.1s2.4.8 2.4 2c0 1.6-2.4 1.7-2.4 3.4", "M6 10.1v.05"],
  con: ["M2.8 2.8 9.2 9.2M9.2 2.8 2.8 9.2"],
  cfl: ["M1.6 4H10M7.9 2 10.2 4 7.9 6M10.4 8.3H2M4.1 6.3 1.8 8.3l2.3 2"],
  per: ["M6 6.1a2.2 2.2 0 1 0 0-4.4a2.2 2.2 0 0 0 0 4.4", "M1.9 10.6c.4-2.3 2-3.3 4.1-3.3s3.7 1 4.1 3.3"],
  ref: ["M2.4 4.6h7.2M2.4 7.6h7.2M8.1 2.2 3.9 10"],
  unj: ["M2.9 6a3.1 3.1 0 1 0 6.2 0a3.1 3.1 0 1 0-6.2 0"],
};
const SVG = "http://www.w3.org/2000/svg";

function el(tag, className, ...children) {
  const node = document.createElement(tag);
  if (className) node.className = className;
  for (const child of children) {
    if (child === null || child === undefined || child === "") continue;
    if (child instanceof Node) node.appendChild(child);
    else say(node, String(child));
  }
  return node;
}

// Hidden characters arrive as U+E000 name U+E001 (ragviz.figures.highlight.reveal) and become visible tokens.
function say(node, text) {
  const parts = text.split(/\ue000([^\ue001]*)\ue001/);
  parts.forEach((part, i) => {
    if (i % 2) {
      const token = document.createElement("span");
      token.className = "hid";
      token.textContent = part;
      node.appendChild(token);
    } else if (part) {
      node.appendChild(document.createTextNode(part));
    }
  });
  return node;
}

function plain(text) {
  return text.replace(/\ue000([^\ue001]*)\ue001/g, "⟨$1⟩");
}

// The mark of a verdict: shape, colour and, for those who do not see, its word.
function glyph(name, label) {
  const box = el("span", "g " + name);
  if (label === null) {
    box.setAttribute("aria-hidden", "true");
  } else {
    box.setAttribute("role", "img");
    box.setAttribute("aria-label", label);
  }
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 12 12");
  for (const d of SHAPE[name]) {
    const path = document.createElementNS(SVG, "path");
    path.setAttribute("d", d);
    svg.appendChild(path);
  }
  box.appendChild(svg);
  return box;
}

function verdictMark(letter) {
  return glyph(CLASS[letter], WORD[letter]);
}

// The verdict that counts of a claim; where a person said it, the sign of a person stands beside it.
function claimMark(claim) {
  if (!claim.h) return verdictMark(claim.v);
  return el("span", "pair", verdictMark(claim.v), glyph("per", "by a person"));
}

// The same for tables and lists, where there is no room for the mark of a wrong mirror in words.
function claimMarks(claim) {
  return claim.w ? el("span", "pair", claimMark(claim), glyph("ref", "denied by the reference")) : claimMark(claim);
}

// Supported by a passage, denied by the expected answer: a mark of its own, in words.
function deniedMark(claim) {
  if (!claim.w) return null;
  return el("span", "refno", glyph("ref", null), "reference");
}

function button(label, className, onClick) {
  const node = el("button", className, label);
  node.type = "button";
  node.addEventListener("click", onClick);
  return node;
}

function heading(level, text, small) {
  return el("h" + level, "", text, small ? el("small", "", small) : null);
}

// Scroll the pane, never the page: scrollIntoView would move the whole dashboard.
function reveal(pane, node) {
  const frame = pane.getBoundingClientRect();
  const at = node.getBoundingClientRect();
  if (at.top >= frame.top + 8 && at.bottom <= frame.bottom - 8) return;
  pane.scrollTo({ top: pane.scrollTop + at.top - frame.top - pane.clientHeight / 3, behavior: "instant" });
}
