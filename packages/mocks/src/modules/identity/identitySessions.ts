import type { IdpIdentityStatus } from "@social-connect/contract";
import {
  asUuid,
  callbackState,
  decideCreateIdentitySession,
  decideIdentityCallback,
  decideIdentityEnd,
  decideLaunchIdentity,
  decideRedeemIdentity,
  enforce,
  type IdentityAttemptEvent,
  isIdentityDenial,
  NO_USER,
  type SignedInUser,
} from "@social-connect/domain";
import { userAt } from "../../issuer/users.ts";
import { identityCodeKey } from "../../providers/scopes.ts";
import { issuerAuthorizationUrl } from "../../state/addresses.ts";
import type { Application, IdentityAttempt } from "../../state/state.ts";
import { sha256Base64url, sha256Hex } from "../../util/hash.ts";
import type { World } from "../../world/world.ts";
import type { Caller } from "../applications/authenticate.ts";
import { explained } from "../applications/explainReturnUrl.ts";
import { enforceTenant } from "../applications/explainTenant.ts";
import { findByState, type LaunchOutcome, type LaunchRequest, redeemLaunch } from "../browser/launch.ts";
import { recentAttempts } from "../connect/attempts.ts";
import { patchAttempt } from "../events/recordEvents.ts";

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
  const decision = explained(world, decideCreateIdentitySession(facts, input, world.now()), {
    returnUrl: input.returnUrl,
    registered: application.identityReturnUrls,
    option: "identityReturnUrls",
  });
  const { patch } = enforce(decision);
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

export function launchIdentity(world: World, request: LaunchRequest): LaunchOutcome {
  return redeemLaunch(world, world.state.identityAttempts.values(), request, startIdentity);
}

export function startIdentity(world: World, attempt: IdentityAttempt, application: Application): LaunchOutcome {
  const { outcome, patch } = decideLaunchIdentity(attempt, application, world.now());
  if (outcome !== "redirect") return { outcome };
  const [state, browserSecret, nonce, verifier] = [
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
    world.newSecret(),
  ];
  Object.assign(attempt, patch, { browserHash: sha256Hex(browserSecret), stateHash: sha256Hex(state) });
  const location = issuerAuthorizationUrl(world.settings, { state, nonce, codeChallenge: sha256Base64url(verifier) });
  return { outcome: "redirect", location, attemptId: attempt.id, browserSecret };
}

export type IdentityOutcome =
  | { readonly outcome: "ended" | "expired"; readonly attempt: IdentityAttempt }
  | { readonly outcome: "unknown-state" | "foreign-browser" | "state-used" };

/** The handoff does not check the time of the sign-in. */
const HARMLESS_FAULTS: readonly string[] = ["stale-auth-time"];

/** Handles the identity provider's callback. Every error but a denial is FAILED. */
export function completeIdentity(
  world: World,
  callback: { readonly query: URLSearchParams; readonly browserSecretOf: (attemptId: string) => string | null },
): IdentityOutcome {
  const attempt = findByState(world.state.identityAttempts.values(), callbackState(callback.query));
  const secret = attempt && callback.browserSecretOf(attempt.id);
  const facts = {
    attempt,
    isBoundBrowser: secret !== null && attempt?.browserHash === sha256Hex(secret),
    isStateUsed: attempt?.isStateUsed === true,
    isDenied: isIdentityDenial(callback.query),
  };
  const { outcome, patch } = decideIdentityCallback(facts, world.now());
  if (attempt === null || outcome === "unknown-state") return { outcome: "unknown-state" };
  if (outcome === "foreign-browser" || outcome === "state-used") return { outcome };
  if (patch !== null) patchAttempt(world, attempt, { ...patch, isStateUsed: true });
  if (outcome !== "code") return { outcome, attempt };
  const user = signIn(world, callback.query);
  return { outcome: "ended", attempt: end(world, attempt, user === null ? "HANDOFF_FAILED" : "SIGNED_IN", user) };
}

/** Exchanges the code for the user; null for an unknown code, and with a fault of the identity provider. */
function signIn(world: World, query: URLSearchParams): SignedInUser | null {
  const { identityCodes, issuerFaults } = world.state.providers;
  const key = identityCodeKey(query.get("code") ?? "", query.get("state") ?? "");
  const code = identityCodes.get(key);
  identityCodes.delete(key);
  const isForeign = query.has("iss") && query.get("iss") !== world.settings.issuerUrl;
  const isFaulty = issuerFaults.some((fault) => !HARMLESS_FAULTS.includes(fault));
  if (code === undefined || isFaulty || isForeign || query.getAll("code").length > 1) return null;
  return userAt(world.settings.issuerUrl, code.person);
}

export function end(
  world: World,
  attempt: IdentityAttempt,
  event: IdentityAttemptEvent,
  user: SignedInUser | null = null,
): IdentityAttempt {
  const patch = decideIdentityEnd(attempt, event, world.now());
  return patch === null ? attempt : patchAttempt(world, attempt, { ...patch, user });
}

/**
 * Returns the result of a sign-in once. A wrong proof or tenant is NOT_FOUND and does not consume the proof; neither does
 * PENDING. Source: service description, parts 3 and 4.
 */
export function redeemIdentityResult(
  world: World,
  { application }: Caller,
  input: { readonly id: string; readonly tenantKey: string; readonly resultProof: string },
): SignedInUser & { readonly status: IdpIdentityStatus } {
  enforceTenant(world, application, input.tenantKey, "NOT_FOUND");
  const attempt = world.state.identityAttempts.get(asUuid(input.id) ?? "");
  const isCallers =
    attempt?.applicationId === application.id &&
    attempt.tenantKey === input.tenantKey &&
    attempt.resultProofHash === sha256Hex(input.resultProof);
  const { status, patch } = enforce(decideRedeemIdentity(attempt && isCallers ? attempt : null, world.now()));
  const user = status === "COMPLETED" ? attempt?.user : null;
  if (attempt && patch !== null) Object.assign(attempt, patch, { user: null });
  return { status, ...(user ?? NO_USER) };
}
