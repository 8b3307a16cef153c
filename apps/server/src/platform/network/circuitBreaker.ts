import { addMs } from "@social-connect/domain";

export interface BreakerOptions {
  /** Consecutive failures after which the breaker opens. */
  readonly failures: number;
  /** How many different sources they must have, so that the failures of one do not stop the others. Those of probes too. */
  readonly sources: number;
  /** How long it stays open before a probe, and a source waits after its own probe, in milliseconds. */
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
  | HalfOpen;

interface HalfOpen {
  readonly name: "half-open";
  readonly until: Date;
  /** When each source that made a probe may make the next one. */
  readonly waits: Map<string, Date>;
  /** The sources whose probes failed. */
  readonly failed: Set<string>;
}

/**
 * Stops calls after repeated failures. After a while it lets single calls of different sources through: the first success
 * resumes all, and failures of several sources stop them again. A source that always fails makes only itself wait.
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
    const { waits, failed } =
      state.name === "half-open" ? state : { waits: new Map<string, Date>(), failed: new Set<string>() };
    const until = state.until > now ? state.until : (waits.get(source) ?? now);
    if (until > now) {
      this.#stopped += 1;
      return { waitMs: until.getTime() - now.getTime() };
    }
    const { openMs, probeMs } = this.#options;
    // From its start, so that a source whose probes do not end does not make one after the other.
    waits.set(source, addMs(now, openMs));
    const probe: HalfOpen = { name: "half-open", until: addMs(now, probeMs), waits, failed };
    this.#become(probe);
    return { end: (outcome, at) => this.#endProbe(probe, source, outcome, at) };
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

  #endProbe(probe: HalfOpen, source: string, outcome: CallOutcome, now: Date): void {
    if (outcome === "answered") this.#close();
    const { waits, failed } = probe;
    const state = this.#state;
    // Another call decided already.
    if (state.name !== "half-open" || state.failed !== failed) return;
    const { sources, openMs } = this.#options;
    if (outcome === "failed") {
      waits.set(source, addMs(now, openMs));
      failed.add(source);
    } else waits.delete(source);
    if (failed.size >= sources) this.#become({ name: "open", until: addMs(now, openMs) });
    // Unless the probe took so long that another was made.
    else if (state === probe) this.#become({ ...probe, until: now });
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
