/**
 * Blocks a call at a chosen point during a concurrent change, without sleeping: `passFirst` is a hook that blocks the first
 * caller until the gate opens, and `reached` resolves when it waits there. Later callers pass.
 */
export function gate() {
  let open = (): void => undefined;
  let reach = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  let taken = false;
  return {
    reached,
    open: () => open(),
    passFirst: async () => {
      if (taken) return;
      taken = true;
      reach();
      await opened;
    },
  };
}
