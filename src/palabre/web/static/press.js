// A button that is made anew between a press and its end: the browser reports no click on either, so this does.

let pressed = null;

/** Begin to listen. */
export function mendPresses() {
  document.addEventListener("pointerdown", ({ target }) => (pressed = target.closest?.("button")), { capture: true });
  document.addEventListener("pointercancel", () => (pressed = null));
  document.addEventListener("pointerup", ({ clientX, clientY }) => {
    const before = pressed;
    pressed = null;
    if (!before || before.isConnected) return;
    const now = document.elementFromPoint(clientX, clientY)?.closest("button");
    if (now && isSame(before, now)) now.click();
  });
}

/** Whether a button is the one that was there before: it says the same and is for the same. */
function isSame(before, now) {
  const about = ({ textContent, dataset: { id, ply } }) => [textContent, id, ply].join("\n");
  return about(before) === about(now);
}
