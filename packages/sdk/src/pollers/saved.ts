import { ConfigurationError } from "@social-connect/sdk-core";
import type { DisconnectResult, SubjectScope } from "../_generated/types.ts";
import { ANSWERS } from "../_generated/validators.ts";

interface SavedJob {
  readonly scope: SubjectScope;
  readonly connectionId: string;
  /** Null for a refresh or lookup that was never started and cannot be resumed. */
  readonly id: string | null;
}

interface SavedFields {
  "connect-result": { readonly scope: SubjectScope; readonly id: string };
  job: SavedJob;
  /** Includes the scans that `scanAll` started, so that it continues after the last of them. */
  refresh: SavedJob & {
    readonly continuations?: readonly string[];
    /** The window of a scan. */
    readonly window?: { readonly publishedAfter: string; readonly publishedBefore: string };
  };
  lookup: SavedJob;
  disconnect: { readonly scope: SubjectScope; readonly result: DisconnectResult };
}

/** The kind of a saved poller. */
export type SavedKind = keyof SavedFields;

/** The JSON of a poller: ids only, no secret, for `resume` in another process. */
export type SavedPoller<Kind extends SavedKind = SavedKind> = {
  [Each in Kind]: { readonly kind: Each } & SavedFields[Each];
}[Kind];

type Fields = { readonly [name: string]: unknown };

/** The required strings, by kind. */
const IDS = new Map<unknown, (saved: Fields) => readonly unknown[]>([
  ["connect-result", ({ id }) => [id]],
  ["job", ({ connectionId, id }) => [connectionId, id]],
  ["lookup", ({ connectionId, id }) => [connectionId, id]],
  [
    "refresh",
    ({ connectionId, id, continuations = [], window }) => [
      connectionId,
      id,
      ...(Array.isArray(continuations) ? continuations : [undefined]),
      ...(window === undefined ? [] : [fieldsOf(window)["publishedAfter"], fieldsOf(window)["publishedBefore"]]),
    ],
  ],
  [
    "disconnect",
    ({ result }) => {
      const fields = fieldsOf(result);
      const { connectionId, revokeJobId, eraseJobId } = fields;
      return ANSWERS.disconnectConnection(fields) ? [connectionId, revokeJobId, eraseJobId] : [undefined];
    },
  ],
]);

/** The saved JSON was stored outside the SDK, so its shape is validated. */
export function checkSaved(value: unknown): void {
  const saved = fieldsOf(value);
  const { tenantKey, externalSubjectId } = fieldsOf(saved.scope);
  const ids = IDS.get(saved.kind)?.(saved) ?? [undefined];
  if ([tenantKey, externalSubjectId, ...ids].some((text) => typeof text !== "string" || text === "")) {
    throw new ConfigurationError(
      "This is not the saved poller of a started job or attempt. If it is a string, parse it as JSON first.",
    );
  }
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
