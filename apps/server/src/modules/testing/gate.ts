export interface Gate {
  /** Resolves when a caller waits at the gate. */
  readonly reached: Promise<void>;
  readonly open: () => void;
  /** A hook that blocks the first caller until the gate opens; later callers pass. */
  readonly passFirst: () => Promise<void>;
}

/** Blocks a call at a chosen point during a concurrent change, without sleeping. */
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
