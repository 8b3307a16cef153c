import type { SocialProvider } from "@social-connect/contract";
import type { RegistrationAccess } from "../../providers/contract.ts";
import type { Service } from "../service.ts";
import { endGrants } from "./endGrants.ts";
import { fittingRegistrations } from "./fittingRegistrations.ts";

/**
 * Handles a provider's signed message that a user removed the app. Marks the grants of the account's connections as
 * revoked; a later disconnect has nothing to revoke. Returns false if no registration's secret signed it.
 *
 * @throws SecretBoxError if none fits, and the secret of one cannot be read
 */
export async function receiveDeauthorization(
  service: Service,
  provider: SocialProvider,
  signedRequest: string,
): Promise<boolean> {
  const adapter = service.provider(provider);
  if (adapter.verifyDeauthorization === undefined) return false;
  const now = await service.clock.now();
  const verify = (access: RegistrationAccess) => {
    const account = adapter.verifyDeauthorization?.(access, signedRequest) ?? null;
    return account && { account };
  };
  const fitting = await fittingRegistrations(service, provider, verify, now);
  await endGrants(service, fitting, now);
  return fitting.length > 0;
}
