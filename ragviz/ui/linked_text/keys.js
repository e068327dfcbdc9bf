// Keys work while the viewer has the focus and never while somebody types.

const KEYS = [
  ["arrows", "to the next or previous claim"], ["Enter", "pick it, or take the choice back"], ["j", "pick the next claim"], ["k", "pick the previous claim"], ["e", "next evidence of the claim"], ["m", "matrix: arrows move, Enter lights"],
  ["n", "next failing trace"], ["p", "previous failing trace"], ["r", "re-judge the claim"], ["o", "overrule the claim"],
  ["Esc", "clear the choice"], ["?", "show or hide these keys"],
];

function onKey(view, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, select, textarea")) return;
  const act = ACTIONS[event.key];
  if (!act) return;
  if (act(view, event) !== false) {
    event.preventDefault();
    event.stopPropagation();
  }
}

const ACTIONS = {
  j: (view) => step(view, 1),
  k: (view) => step(view, -1),
  e: (view) => nextEvidence(view),
  m: (view) => focusCell(view, view.selected ?? 0, Math.max(1, view.matrix.cell[1])),
  n: () => outside("next_failing"),
  p: () => outside("previous_failing"),
  r: () => outside("rejudge"),
  o: () => outside("overrule_verdict"),
  ArrowRight: (view) => toClaim(view, 1),
  ArrowDown: (view) => toClaim(view, 1),
  ArrowLeft: (view) => toClaim(view, -1),
  ArrowUp: (view) => toClaim(view, -1),
  "?": (view) => toggleHelp(view),
  Escape: (view) => {
    if (!view.help.hidden) return toggleHelp(view);
    if (view.selected !== null) {
      const was = view.selected;
      pick(view, null);
      focusClaim(view, was);
    }
  },
};

function step(view, by) {
  const n = view.data.claims.length;
  if (!n) return;
  const next = view.selected === null ? (by > 0 ? 0 : n - 1) : Math.min(n - 1, Math.max(0, view.selected + by));
  if (next !== view.selected) pick(view, next, { focus: true });
}

// Arrows move from claim to claim and pick nothing; anywhere else they scroll.
function toClaim(view, by) {
  const here = view.root.activeElement?._claims;
  if (!here) return false;
  let c = (by > 0 ? Math.max(...here) : Math.min(...here)) + by;
  drawUntil(view, () => c < 0 || c >= view.claimRuns.length || view.claimRuns[c].length);
  while (view.claimRuns[c]?.length === 0) c += by;
  if (!view.claimRuns[c]) return;
  makeTabStop(view, c);
  focusClaim(view, c);
  reveal(view.answerPane, view.claimRuns[c][0]);
}

function nextEvidence(view) {
  const evidence = view.selected === null ? [] : view.data.claims[view.selected].e || [];
  if (!evidence.length) return;
  view.evidenceAt = (view.evidenceAt + 1) % evidence.length;
  showEvidence(view, evidence[view.evidenceAt]);
}

// Native controls of the page, by the class Streamlit gives to a widget's key: press a button, go to a field.
function outside(key) {
  const place = document.querySelector(".st-key-" + key);
  const control = place?.querySelector("button, input, [tabindex='0']");
  if (!control || control.disabled) return;
  control.focus();
  if (control.tagName === "BUTTON") control.click();
}

function keyLegend() {
  const legend = el("div", "keys");
  const groups = [[["j", "k"], "next, previous claim"], [["n", "p"], "next, previous failing trace"], [["e"], "next evidence"], [["r"], "re-judge"], [["o"], "overrule"], [["m"], "matrix"], [["?"], "all keys"]];
  for (const [keys, words] of groups) legend.appendChild(el("span", "", ...keys.map((key) => el("kbd", "", key)), " " + words));
  return legend;
}

function buildHelp(view) {
  const list = el("dl", "kv");
  for (const [key, words] of KEYS) list.append(el("dt", "", el("kbd", "", key)), el("dd", "", words));
  view.help = el("div", "help box", el("div", "row", heading(2, "Keys", "while the viewer has the focus"), button("Close", "btn sm push", () => toggleHelp(view))), list);
  view.help.setAttribute("role", "dialog");
  view.help.setAttribute("aria-label", "Keys");
  view.help.hidden = true;
  return view.help;
}

function toggleHelp(view) {
  view.help.hidden = !view.help.hidden;
  if (view.help.hidden) (view.beforeHelp || view.frame).focus({ preventScroll: true });
  else {
    view.beforeHelp = view.root.activeElement;
    view.help.querySelector("button").focus({ preventScroll: true });
  }
}
