// A thousand claims and fifty long passages: what is in sight is drawn at once, the rest whenever the browser has nothing else to do.

const SLICE_MS = 8;
const LARGE_TEXT = 60_000;
const CLAIMS_PER_STRETCH = 25;

// Large traces are laid out in parts, and only those in sight (viewer.css: .large).
function isLarge(data) {
  const characters = data.passages.reduce((n, p) => n + p.t.reduce((m, piece) => m + piece[0].length, 0), 0);
  return data.claims.length >= DRAW_ALL_BELOW || characters > LARGE_TEXT;
}

function later(view, drawing, atOnce) {
  if (advance(drawing, atOnce)) return;
  view.drawings.push(drawing);
  if (view.drawings.length === 1) scheduleRest(view, view.drawings);
}

function advance(drawing, steps) {
  for (let i = 0; i < steps; i++) if (drawing.next().done) return true;
  return false;
}

function whenIdle(work) {
  if (window.requestIdleCallback) requestIdleCallback(work, { timeout: 100 });
  else setTimeout(work, 30);
}

function scheduleRest(view, drawings) {
  whenIdle(() => {
    const until = performance.now() + SLICE_MS;
    while (view.drawings === drawings && drawings.length && performance.now() < until) {
      if (advance(drawings[0], 1)) drawings.shift();
    }
    if (view.drawings === drawings && drawings.length) scheduleRest(view, drawings);
  });
}

// Somebody wants to see what is not drawn yet: as much as that takes, at once.
function drawUntil(view, isThere) {
  while (view.drawings?.length && !isThere()) {
    view.drawings.splice(0, Infinity, ...view.drawings.filter((drawing) => !advance(drawing, 20)));
  }
}

// How high a part that is not laid out yet will be, about: the scroll bars hardly move when it comes into sight.
function expectHeight(node, characters, perLine, lineHeight, more = 0) {
  node.style.containIntrinsicBlockSize = "auto " + ((Math.ceil(characters / perLine) || 1) * lineHeight + more) + "px";
}
