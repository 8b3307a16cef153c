import { asFailure, Failure } from "../../api/failure.ts";
import type { AuditFilter } from "./search.ts";

/** The labels of the filters, by their names in the service. */
export const FILTER_LABELS = {
  apiKeyId: "Admin key",
  clientSlug: "Client",
  action: "Action",
  actor: "Actor",
  targetType: "Target",
  targetId: "Target id",
  from: "From (UTC)",
  to: "To (UTC)",
} as const satisfies Readonly<Record<keyof AuditFilter, string>>;

/** The failure of a request with filters; its message states which filter the service rejected. */
export function nameFilter(error: unknown): Failure {
  const failure = asFailure(error);
  const label = Object.entries(FILTER_LABELS).find(([name]) => name === failure.field)?.[1];
  if (failure.code !== "BAD_USER_INPUT" || label === undefined) return failure;
  const { code, field, message } = failure;
  return new Failure({ code, field, message: `The filter “${label}” is invalid. ${message}` });
}
