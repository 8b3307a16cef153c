import type { SocialProvider } from "@social-connect/contract";
import type { RegistrationAccess } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { endGrants, type MessageOutcome, refused } from "./endGrants.ts";
import { fittingRegistrations } from "./fittingRegistrations.ts";

/**
 * Handles a provider's signed message that a user removed the app. Marks the grants of the account's connections as
 * revoked; a later disconnect has nothing to revoke.
 *
 * @throws SecretBoxError if none fits, and the secret of one cannot be read
 */
export async function receiveDeauthorization(
  service: Service,
  provider: SocialProvider,
  signedRequest: string,
): Promise<MessageOutcome> {
  const adapter = service.provider(provider);
  if (adapter.verifyDeauthorization === undefined) return refused("malformed");
  const now = await service.clock.now();
  const verify = (access: RegistrationAccess) => {
    const account = adapter.verifyDeauthorization?.(access, signedRequest) ?? null;
    return account && { account };
  };
  const fitting = await fittingRegistrations(service, provider, verify, now);
  return fitting.length === 0 ? refused("signature") : endGrants(service, fitting, now);
}
