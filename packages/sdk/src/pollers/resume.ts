import type { SettledLookup } from "../types/settled.ts";
import type { Settings } from "../wire/settings.ts";
import { ConnectResultPoller } from "./connectResult.ts";
import { Disconnection } from "./disconnection.ts";
import { JobPoller, settledJob, settledLookup } from "./job.ts";
import { RefreshPoller } from "./refresh.ts";
import { checkSaved, type SavedKind, type SavedPoller } from "./saved.ts";

/** The resumed poller for each kind of saved poller. */
export interface ResumedPollers {
  /** Continues `connectResult`. */
  "connect-result": ConnectResultPoller;
  /** Continues `job`, and the job of a receipt. */
  job: JobPoller;
  /** Continues `refresh`, including the scans that `scanAll` started. */
  refresh: RefreshPoller;
  /** Continues `lookup`. */
  lookup: JobPoller<SettledLookup>;
  /** Continues `disconnect`. */
  disconnect: Disconnection;
}

const RESUME: { [Kind in SavedKind]: (settings: Settings, saved: SavedPoller<Kind>) => ResumedPollers[Kind] } = {
  "connect-result": (settings, { scope, id }) => new ConnectResultPoller(settings, scope, id),
  job: (settings, saved) => new JobPoller({ settings, ...saved }, started(saved), "job", settledJob),
  refresh: (settings, saved) => new RefreshPoller({ settings, ...saved }, started(saved), saved),
  lookup: (settings, saved) => new JobPoller({ settings, ...saved }, started(saved), "lookup", settledLookup),
  disconnect: (settings, { scope, result }) =>
    new Disconnection({ settings, scope, connectionId: result.connectionId }, result),
};

/** Throws ConfigurationError for JSON that is not a saved poller. */
export function resumeSaved<Kind extends SavedKind>(
  settings: Settings,
  saved: SavedPoller<Kind>,
): ResumedPollers[Kind] {
  checkSaved(saved);
  return RESUME[saved.kind](settings, saved);
}

/** `checkSaved` has validated the id. */
function started({ id }: { readonly id: string | null }): { readonly id: string } {
  return { id: id ?? "" };
}
