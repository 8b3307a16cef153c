import { addMs } from "@social-connect/domain";

export interface BreakerOptions {
  /** Consecutive failures after which the breaker opens. */
  readonly failures: number;
  /** How many different sources they must have, so that the failures of one do not stop the others. */
  readonly sources: number;
  /** How long it stays open before a probe, in milliseconds. */
  readonly openMs: number;
  /** How long other calls wait for the result of a probe, in milliseconds. */
  readonly probeMs: number;
}

/** How a call ended. `unknown`: neither a response nor a failure of the provider. */
export type CallOutcome = "answered" | "failed" | "unknown";

/** A call that may be made, with a function for its outcome; or how long to wait, in milliseconds. */
export type Admission = { readonly end: (outcome: CallOutcome, now: Date) => void } | { readonly waitMs: number };

type State =
  | { readonly name: "closed"; failures: number; readonly sources: Set<string> }
  | { readonly name: "open"; readonly until: Date }
  | { readonly name: "half-open"; readonly until: Date };

/**
 * Stops calls after repeated failures, and lets one call through after a while: its success resumes the others.
 *
 * No library, because cockatiel and opossum take the time from `Date.now` and timers, and this service's clock can be
 * moved: a job that waits until the breaker lets calls through must find it so at that time.
 */
export class CircuitBreaker {
  readonly #options: BreakerOptions;
  readonly #onChange: (state: State["name"]) => void;
  #state: State = closed();
  #stopped = 0;

  constructor(options: BreakerOptions, onChange: (state: State["name"]) => void = () => undefined) {
    this.#options = options;
    this.#onChange = onChange;
  }

  /** The state, and how many calls were stopped since the process started. */
  counts(): { readonly state: State["name"]; readonly stopped: number } {
    return { state: this.#state.name, stopped: this.#stopped };
  }

  /** `source` is what the call is made for. */
  admit(source: string, now: Date): Admission {
    const state = this.#state;
    if (state.name === "closed") return { end: (outcome, at) => this.#record(source, outcome, at) };
    const waitMs = state.until.getTime() - now.getTime();
    if (waitMs > 0) {
      this.#stopped += 1;
      return { waitMs };
    }
    const probe: State = { name: "half-open", until: addMs(now, this.#options.probeMs) };
    this.#become(probe);
    return { end: (outcome, at) => this.#endProbe(probe, outcome, at) };
  }

  #record(source: string, outcome: CallOutcome, now: Date): void {
    const state = this.#state;
    if (outcome === "answered") this.#close();
    if (outcome !== "failed" || state.name !== "closed") return;
    const { failures, sources, openMs } = this.#options;
    state.failures += 1;
    if (state.sources.size < sources) state.sources.add(source);
    if (state.failures >= failures && state.sources.size >= sources)
      this.#become({ name: "open", until: addMs(now, openMs) });
  }

  #endProbe(probe: State, outcome: CallOutcome, now: Date): void {
    if (outcome === "answered") this.#close();
    // Another call decided already, or the probe took so long that another was made.
    else if (this.#state === probe)
      this.#become({ name: "open", until: addMs(now, outcome === "failed" ? this.#options.openMs : 0) });
  }

  #close(): void {
    if (this.#state.name === "closed") this.#state = closed();
    else this.#become(closed());
  }

  #become(state: State): void {
    this.#state = state;
    this.#onChange(state.name);
  }
}

function closed(): State {
  return { name: "closed", failures: 0, sources: new Set() };
}
