import { SESSION_IDLE_MS } from "@social-connect/domain";

/** A request that is sent longer after the last input is made by the page and not by the admin. */
const UNATTENDED_MS = 60_000;

let lastInputMs = Date.now();

for (const type of ["pointerdown", "keydown", "wheel", "touchmove"]) {
  window.addEventListener(
    type,
    () => {
      lastInputMs = Date.now();
    },
    { capture: true, passive: true },
  );
}

/** Whether no one uses the page now. Its requests must not extend the session. */
export function isUnattended(): boolean {
  return Date.now() - lastInputMs > UNATTENDED_MS;
}

/** Whether the session has ended because no one used the page. */
export function isIdle(): boolean {
  return Date.now() - lastInputMs > SESSION_IDLE_MS;
}
