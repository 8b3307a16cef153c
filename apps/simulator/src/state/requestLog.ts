import type { TimeSource } from "../shared/clock.ts";
import type { Trace } from "../shared/http.ts";
import { names } from "../shared/names.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";

/** A logged call, without tokens, codes, secrets and bodies. */
export interface LoggedRequest extends Trace {
  readonly at: string;
  readonly provider: ProviderKey;
  readonly method: string;
  readonly path: string;
  /** Only parameters without secrets. */
  readonly query: Readonly<Record<string, string>>;
  readonly status: number;
  readonly durationMs: number;
}

const SHOWN_PARAMETERS = names(`
  part mine id playlistId maxResults pageToken fields limit after before metric
  grant_type scope access_type prompt response_type code_challenge_method
`);
const MAX_ENTRIES = 2_000;

export type RequestLog = ReturnType<typeof createRequestLog>;

export function createRequestLog(clock: TimeSource) {
  const entries: LoggedRequest[] = [];
  return {
    add: (entry: Omit<LoggedRequest, "query" | "at">, query: URLSearchParams): void => {
      const shown = [...new Set(query.keys())].filter((name) => SHOWN_PARAMETERS.has(name));
      const joined = Object.fromEntries(shown.map((name) => [name, query.getAll(name).join(",")]));
      entries.push({ at: clock.now().toISOString(), ...entry, query: joined });
      if (entries.length > MAX_ENTRIES) entries.splice(0, entries.length - MAX_ENTRIES);
    },
    entries: (): readonly LoggedRequest[] => entries,
    clear: () => {
      entries.length = 0;
    },
  };
}
