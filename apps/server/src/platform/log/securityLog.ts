import type { Logger } from "./logger.ts";
import { SECURITY_EVENTS, type SecurityEventFields, type SecurityEventName } from "./securityEvents.ts";

export const SECURITY_LOG_LIMITS = {
  windowMs: 60_000,
  /** Maximum lines of one event about one subject (a key, or an address) in a window. */
  linesOfSubject: 10,
  /** Beyond so many events about a subject, of all kinds, only the first of each kind has a line. */
  eventsOfSubject: 10,
  /** Maximum lines of all events in a window: 1,000 lines are about 300 kB. */
  lines: 1_000,
  /** Subjects that are counted separately in a window, so that memory is bounded. */
  subjects: 5_000,
  /** Maximum lines that report suppressed lines at the end of a window, in all. */
  summaries: 50,
  /** How many events of a subject are reported separately: those with the most suppressed lines. */
  eventsInSummaries: 2,
} as const;

interface Summary {
  /** Null: several events. */
  readonly suppressedEvent: SecurityEventName | null;
  readonly subject: string;
  readonly count: number;
}

interface Counter {
  readonly event: SecurityEventName;
  readonly subject: string;
  written: number;
  suppressed: number;
}

const OTHERS = "others";
const COUNTED_EVENTS = (Object.keys(SECURITY_EVENTS) as SecurityEventName[]).filter(
  (name) => name !== "security_log.suppressed",
);

/**
 * Logs security events at the default log level, one line per event. A flood is counted and not written, so that it
 * fills neither disk nor memory; the number of suppressed lines is written when the window ends. Lines are written
 * after the response: a line takes 24 µs and a suppressed one none, and a caller must not learn which keys are counted
 * separately.
 */
export class SecurityLog {
  readonly #logger: Logger;
  readonly #monotonicMs: () => number;
  #counters = new Map<string, Counter>();
  /** Events of all kinds, for each subject that is counted separately. */
  #events = new Map<string, number>();
  #windowStartMs = 0;
  #written = 0;
  #timer: NodeJS.Timeout | undefined;
  #pending: (() => void)[] = [];
  /** Every event is shown at 0 first, so that to Prometheus the first ones are an increase. */
  readonly #counts = new Map<SecurityEventName, number>(COUNTED_EVENTS.map((name) => [name, 0]));

  constructor(logger: Logger, monotonicMs: () => number = () => performance.now()) {
    this.#logger = logger;
    this.#monotonicMs = monotonicMs;
  }

  /** `subject` is the key of the limit: an existing API key, or the caller's address. */
  record<Name extends SecurityEventName>(
    name: Name,
    fields: SecurityEventFields<Name>,
    subject: string | null = null,
  ): void {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    this.#openWindow();
    const counter = this.#counterOf(name, subject ?? "");
    const events = (this.#events.get(counter.subject) ?? 0) + 1;
    this.#events.set(counter.subject, events);
    const { linesOfSubject, eventsOfSubject, lines } = SECURITY_LOG_LIMITS;
    const isFlood = events > eventsOfSubject && isCountedSeparately(counter.subject);
    const most = isFlood ? 1 : linesOfSubject;
    if (counter.written >= most || this.#written >= lines) {
      counter.suppressed += 1;
      return;
    }
    counter.written += 1;
    this.#written += 1;
    this.#pending.push(() => this.#write(name, fields));
    if (this.#pending.length === 1) setImmediate(() => this.#writePending());
  }

  /** Events since the process started, with those whose lines were suppressed; for metrics. */
  counts(): ReadonlyMap<SecurityEventName, number> {
    return this.#counts;
  }

  /** Ends the window: writes pending lines and the number of suppressed ones. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#writePending();
    const suppressed = [...this.#counters.values()].filter((counter) => counter.suppressed > 0);
    this.#counters = new Map();
    this.#events = new Map();
    this.#written = 0;
    const summaries = summarize(suppressed);
    for (const summary of summaries.splice(0, SECURITY_LOG_LIMITS.summaries))
      this.#write("security_log.suppressed", summary);
    const rest = summaries.reduce((sum, { count }) => sum + count, 0);
    if (rest > 0) this.#write("security_log.suppressed", { suppressedEvent: null, subject: null, count: rest });
  }

  #openWindow(): void {
    const nowMs = this.#monotonicMs();
    const { windowMs } = SECURITY_LOG_LIMITS;
    if (this.#timer !== undefined && nowMs - this.#windowStartMs < windowMs) return;
    this.flush();
    this.#windowStartMs = nowMs;
    // Does not delay the end of the process: `flush` is called when the service stops.
    this.#timer = setTimeout(() => this.flush(), windowMs).unref();
  }

  #counterOf(event: SecurityEventName, subject: string): Counter {
    const key = `${event} ${subject}`;
    const found = this.#counters.get(key);
    if (found !== undefined) return found;
    if (this.#counters.size >= SECURITY_LOG_LIMITS.subjects && subject !== OTHERS)
      return this.#counterOf(event, OTHERS);
    const counter = { event, subject, written: 0, suppressed: 0 };
    this.#counters.set(key, counter);
    return counter;
  }

  #writePending(): void {
    for (const write of this.#pending.splice(0)) write();
  }

  #write<Name extends SecurityEventName>(name: Name, fields: SecurityEventFields<Name>): void {
    const { level, message } = SECURITY_EVENTS[name];
    const line: object = { event: name, ...fields };
    this.#logger[level](line, message);
  }
}

function isCountedSeparately(subject: string): boolean {
  return !["", OTHERS].includes(subject);
}

/** The most suppressed first. The less frequent events of a subject are one summary. */
function summarize(counters: readonly Counter[]): Summary[] {
  const separate = new Map<string, number>();
  const together = new Map<string, number>();
  const summaries: Summary[] = [];
  for (const { event, subject, suppressed } of counters.toSorted((one, other) => other.suppressed - one.suppressed)) {
    const events = (separate.get(subject) ?? 0) + 1;
    separate.set(subject, events);
    if (isCountedSeparately(subject) && events > SECURITY_LOG_LIMITS.eventsInSummaries)
      together.set(subject, (together.get(subject) ?? 0) + suppressed);
    else summaries.push({ suppressedEvent: event, subject, count: suppressed });
  }
  for (const [subject, count] of together) summaries.push({ suppressedEvent: null, subject, count });
  return summaries.sort((one, other) => other.count - one.count);
}

const LOGS = new WeakMap<Logger, SecurityLog>();

/** The security log of a process; one per logger, so that its limits count all its lines. */
export function securityLog({ logger }: { readonly logger: Logger }): SecurityLog {
  const log = LOGS.get(logger) ?? new SecurityLog(logger);
  LOGS.set(logger, log);
  return log;
}
