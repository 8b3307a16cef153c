import { EventEmitter, once } from "node:events";

/**
 * Blocks a call at a chosen point during a concurrent change, without sleeping: `passFirst` is a hook that blocks the first
 * caller until the gate opens, and `reached` resolves when it waits there. Later callers pass.
 */
export function gate() {
  const events = new EventEmitter();
  const [reached, opened] = [once(events, "reached"), once(events, "open")];
  return {
    reached,
    open: () => void events.emit("open"),
    passFirst: async () => {
      if (events.emit("reached")) await opened;
    },
  };
}
