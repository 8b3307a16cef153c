import { checkIdpIdentityInput, checkUnfinishedIdentityAttempts, identityDeadlines } from "@social-connect/domain";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { enforce } from "../errors.ts";

/**
 * Starts an identity attempt. The launch token and the proof are returned only here; the state has their hashes. Source:
 * service description, part 4, createIdpIdentitySession.
 */
export function createIdentitySession(
  world: World,
  { application }: Caller,
  input: { readonly tenantKey: string; readonly returnUrl: string },
) {
  enforce(checkIdpIdentityInput(input, application, true));
  const now = world.now();
  const unfinished = [...world.state.identityAttempts.values()]
    .filter((one) => one.applicationId === application.id && one.status === "PENDING")
    .map((one) => one.expiresAt);
  enforce(checkUnfinishedIdentityAttempts(unfinished, now));
  const id = world.newId();
  const [launchToken, resultProof] = [world.newSecret(), world.newSecret()];
  const deadlines = identityDeadlines(now);
  world.state.identityAttempts.set(id, {
    id,
    applicationId: application.id,
    tenantKey: input.tenantKey,
    returnUrl: input.returnUrl,
    status: "PENDING",
    launchTokenHash: sha256Hex(launchToken),
    resultProofHash: sha256Hex(resultProof),
    launchedAt: null,
    stateSpent: false,
    stateHash: null,
    browserHash: null,
    person: null,
    redeemedAt: null,
    createdAt: now,
    ...deadlines,
  });
  const launchUrl = `${world.settings.connectHost}/api/identity/redeem`;
  return { id, launchUrl, launchToken, resultProof, ...deadlines };
}
