export interface Gate {
  /** Resolves when somebody waits at the gate. */
  readonly reached: Promise<void>;
  readonly open: () => void;
  /** For a hook: the first caller waits until the gate opens, the others pass. */
  readonly passFirst: () => Promise<void>;
}

/** Holds one call at a chosen point while a test does something else; nothing sleeps. */
export function gate(): Gate {
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
