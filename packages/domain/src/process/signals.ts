/** The signals of the process. */
interface SignalSource {
  on(signal: string, listener: () => void): unknown;
}

export interface SignalHandlers {
  /** Monotonic time. */
  readonly nowMs: () => number;
  /** The first signal to stop. */
  readonly stop: () => void;
  /** A later one, or SIGQUIT. Ends the process immediately. */
  readonly exit: () => void;
  /** Prints a line for the operator. */
  readonly say: (line: string) => void;
  /** Replaces the processes of a supervisor; false without one. */
  readonly restart?: () => boolean;
}

const STOP = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** The system would end the process on these, without a message. SIGPROF belongs to the profiler of Node (`--cpu-prof`). */
const IGNORED = ["SIGUSR1", "SIGALRM", "SIGVTALRM", "SIGIO", "SIGPWR", "SIGSTKFLT", "SIGXCPU"] as const;
/** A signal to a process and to its process group arrives twice and counts once. */
const SAME_SIGNAL_MS = 1_000;

/**
 * The signals of every program that runs until it is stopped, so that each means the same everywhere: SIGTERM, SIGINT and
 * SIGHUP stop it, a second one and SIGQUIT end it immediately, SIGUSR2 replaces the processes of a supervisor, and others are
 * reported and ignored.
 */
export function handleSignals(source: SignalSource, { nowMs, stop, exit, say, restart }: SignalHandlers): void {
  let firstAtMs: number | null = null;
  for (const signal of STOP) {
    source.on(signal, () => {
      if (firstAtMs === null) {
        firstAtMs = nowMs();
        stop();
      } else if (nowMs() - firstAtMs > SAME_SIGNAL_MS) exit();
    });
  }
  source.on("SIGQUIT", exit);
  source.on("SIGUSR2", () => {
    if (restart?.() !== true) say("SIGUSR2 is ignored: no supervisor runs here that could replace its processes.");
  });
  for (const signal of IGNORED) source.on(signal, () => say(`${signal} is ignored.`));
}
