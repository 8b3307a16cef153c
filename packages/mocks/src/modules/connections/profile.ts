import type { StoredProfile } from "../../state/state.ts";
import type { AccountAnswer } from "../../upstream/providerSide.ts";

export function profileOf(account: AccountAnswer, observedAt: Date): StoredProfile {
  const { providerAccountId, displayName, handle, avatarUrl, profileUrl, description } = account;
  return { providerAccountId, displayName, handle, avatarUrl, profileUrl, description, observedAt };
}
