import type { AccountProfile } from "../../providers/accounts.ts";
import type { StoredProfile } from "../../state/state.ts";

export function profileOf(account: AccountProfile, observedAt: Date): StoredProfile {
  const { providerAccountId, displayName, handle, avatarUrl, profileUrl, description } = account;
  return { providerAccountId, displayName, handle, avatarUrl, profileUrl, description, observedAt };
}
