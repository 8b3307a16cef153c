import type { SocialProvider } from "@social-connect/contract";
import type { ConnectionView, SubjectScope } from "@social-connect/domain";
import { connectionAsRead, enforce, recheckViolation } from "@social-connect/domain";
import type { Caller } from "../applications/authenticate.ts";
import type { Service } from "../service.ts";
import { loadConnection } from "./accessConnection.ts";
import type { StoredProfile } from "./accessRow.ts";
import { recheck, viewRow } from "./accessRow.ts";
import { findAccessRow } from "./store.ts";

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
  caller: Caller,
  scope: SubjectScope,
  connectionId: string,
): Promise<ConnectionShown> {
  const find = (id: string) => findAccessRow(service.pool, caller.application.id, scope, id);
  const [row, now] = await loadConnection(service, connectionId, find);
  const code = row.status === "CONNECTED" ? recheck(row, caller, now) : null;
  if (code !== null) enforce(recheckViolation(code));
  const { provider, providerAccountId } = row;
  return { id: row.id, provider, providerAccountId, ...connectionAsRead(viewRow(row, now), now) };
}
