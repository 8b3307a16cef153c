import { ProviderError } from "../../providers/contract.ts";
import type { RowKey } from "../rowKey.ts";
import type { Service } from "../service.ts";
import type { ReadResult } from "./recordRead.ts";
import { type ReadContext, runRead } from "./runRead.ts";

/** Rereads the account's profile. */
export async function runProfileRead(service: Service, job: RowKey): Promise<void> {
  await runRead(service, job, readProfile);
}

async function readProfile({ service, connection, adapter, call }: ReadContext): Promise<ReadResult> {
  const profileObservedAt = await service.clock.now();
  const account = await call((session) => adapter.readAccount(session));
  // The credential now belongs to another account, whose data must not be stored here.
  if (account.providerAccountId !== connection.providerAccountId) {
    throw new ProviderError("grant_gone", "the credential belongs to another account");
  }
  const { displayName, handle, avatarUrl, profileUrl, description, providerUserKey } = account;
  const profile = { displayName, handle, avatarUrl, profileUrl, description, profileObservedAt };
  return {
    outcome: "succeeded",
    connection: { ...profile, ...(providerUserKey === null ? {} : { providerUserKey }) },
  };
}
