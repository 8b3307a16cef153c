import type { SocialProvider } from "@social-connect/contract";
import {
  type ConnectionView,
  connectionAsRead,
  enforce,
  recheckViolation,
  type SubjectScope,
} from "@social-connect/domain";
import type { Reader } from "../applications/readForKey.ts";
import type { Service } from "../service.ts";
import { loadConnection } from "./accessConnection.ts";
import { recheck, type StoredProfile, viewRow } from "./accessRow.ts";
import { findViewRow } from "./store.ts";

export interface ConnectionShown extends ConnectionView<StoredProfile> {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

/**
 * Returns a connection. Re-checks a CONNECTED one first and fails with the re-check's code. Source: service
 * description, part 3, rules 1 to 3.
 */
export async function readConnection(
  service: Service,
  reader: Reader,
  scope: SubjectScope,
  connectionId: string,
): Promise<ConnectionShown> {
  const find = (id: string, at: Date) => findViewRow(service, reader, scope, id, at);
  const { row, policy, now } = await loadConnection(service, connectionId, find);
  const code = row.status === "CONNECTED" ? recheck(row, scope.tenantKey, policy, now) : null;
  if (code !== null) enforce(recheckViolation(code));
  const { provider, providerAccountId } = row;
  return { id: row.id, provider, providerAccountId, ...connectionAsRead(viewRow(row, now), now) };
}
