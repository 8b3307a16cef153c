import { decideCreateIdentitySession, enforce } from "@social-connect/domain";
import { sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { recentAttempts } from "../connect/attempts.ts";

/**
 * Starts an identity attempt. The launch token and the proof are returned only here; the state has their hashes. Source:
 * service description, part 4, createIdpIdentitySession.
 */
export function createIdentitySession(
  world: World,
  { application }: Caller,
  input: { readonly tenantKey: string; readonly returnUrl: string },
) {
  const pending = [...world.state.identityAttempts.values()].filter(
    (one) => one.applicationId === application.id && one.status === "PENDING",
  );
  const unfinished = pending.map(({ expiresAt }) => expiresAt);
  const recent = recentAttempts(world, world.state.identityAttempts, application.id);
  const facts = { application, issuerConfigured: true, unfinished, recent };
  const { patch } = enforce(decideCreateIdentitySession(facts, input, world.now()));
  const id = world.newId();
  const [launchToken, resultProof] = [world.newSecret(), world.newSecret()];
  world.state.identityAttempts.set(id, {
    ...patch,
    id,
    launchTokenHash: sha256Hex(launchToken),
    resultProofHash: sha256Hex(resultProof),
    isStateUsed: false,
    stateHash: null,
    browserHash: null,
    user: null,
  });
  const { expiresAt, resultExpiresAt } = patch;
  const launchUrl = `${world.settings.connectHost}/api/identity/redeem`;
  return { id, launchUrl, launchToken, resultProof, expiresAt, resultExpiresAt };
}
