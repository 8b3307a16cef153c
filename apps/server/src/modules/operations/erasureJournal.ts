import { ERASURE_EVENTS } from "../../platform/log/telemetry.ts";
import { asUuid } from "../../platform/uuid.ts";

/** A line that `erasures export` writes. The log lines of erasures have the same fields, and more. */
export interface ErasureEntry {
  readonly event: string;
  readonly time: Date;
  readonly connectionId: string;
  readonly applicationId: string;
  readonly provider: string;
}

/** Connections that were erased, or whose erasure was requested, according to a log or an export. */
export type ErasureJournal = Awaited<ReturnType<typeof readErasureJournal>>;

/** A line that names an erasure and cannot be read. Its erasure must not be missed, so the whole journal is refused. */
export class UnreadableErasureError extends Error {
  constructor(place: string, line: number) {
    super(
      `${place}, line ${line}: the line names an erasure and cannot be read. Nothing was changed. ` +
        "Repair the line; remove it only if it is not of an erasure",
    );
    this.name = "UnreadableErasureError";
  }
}

const EVENTS: ReadonlySet<unknown> = new Set(Object.values(ERASURE_EVENTS));
/** Also inside of a string, as collectors of logs wrap a line, and in the attempts that releases without the events logged. */
const NAMES_ERASURE = /erasure\.(?:requested|completed)\b|"kind\\{0,7}":\s{0,9}\\{0,7}"ERASE\\{0,7}"/;
/** A line within a line within a line. */
const MOST_WRAPS = 2;

/**
 * Reads the erasures out of lines of an export or of logs, also mixed with other lines, prefixed (as by `docker compose logs`) or
 * wrapped in JSON (as by Docker's log files).
 *
 * @throws UnreadableErasureError
 */
export async function readErasureJournal(
  sources: readonly { readonly place: string; readonly lines: AsyncIterable<string> }[],
) {
  const connectionIds = new Set<string>();
  let count = 0;
  for (const { place, lines } of sources) {
    let number = 0;
    for await (const line of lines) {
      number += 1;
      if (!NAMES_ERASURE.test(line)) continue;
      const connectionId = findConnection(line, MOST_WRAPS);
      if (connectionId === null) throw new UnreadableErasureError(place, number);
      connectionIds.add(connectionId);
    }
    count += number;
  }
  return { connectionIds, lines: count };
}

function findConnection(text: string, wraps: number): string | null {
  const value = parseFrom(text, text.indexOf("{"));
  if (value === null) return null;
  const { event, kind, connectionId } = value;
  if ((EVENTS.has(event) || kind === "ERASE") && typeof connectionId === "string") return asUuid(connectionId);
  if (wraps === 0) return null;
  for (const field of Object.values(value)) {
    const text = typeof field === "object" && field !== null ? JSON.stringify(field) : field;
    const found = typeof text === "string" && text.includes("{") ? findConnection(text, wraps - 1) : null;
    if (found !== null) return found;
  }
  return null;
}

function parseFrom(text: string, start: number): Record<string, unknown> | null {
  if (start === -1) return null;
  try {
    const value: unknown = JSON.parse(text.slice(start));
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
