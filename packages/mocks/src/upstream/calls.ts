import type { SocialProvider } from "@social-connect/contract";
import { addMs, hasPassed } from "@social-connect/domain";
import type { Account } from "../providers/accounts.ts";
import { DAY_SECONDS } from "../providers/provider.ts";
import { callFault } from "../providers/scripts.ts";
import { type CallFailure, type CallFault, failing, failure, type ProviderCall } from "../state/providerCall.ts";
import type { ProviderGrant } from "../state/providerState.ts";
import type { Grant } from "../state/state.ts";
import type { World } from "../world/world.ts";
import { accountOf, endGrant, failureOfEnd, tokensOf } from "./grants.ts";

/** How a call at a provider ends: its delay beyond the usual time, and its failure. */
export interface CallResult {
  readonly delayMs: number;
  readonly failure: CallFailure | null;
}

const SUCCESS: CallResult = { delayMs: 0, failure: null };

/**
 * Calls a provider with a grant. A fault of a test comes before the account's script. Read APIs check the token before
 * anything else, the token and revocation endpoints after it.
 */
export function startCall(world: World, grant: ProviderGrant, call: Exclude<ProviderCall, "exchange">): CallResult {
  const account = accountOf(grant);
  const isRejected = grant.ended !== null && (call === "list" || call === "profile");
  const fault = isRejected
    ? null
    : (takeFault(world, account, call) ?? scriptedFault(account, grant, call, world.now()));
  return fault === null ? { delayMs: 0, failure: failureAtEnd(grant) } : resultOf(grant, fault);
}

export function startExchange(world: World, account: Account): CallResult {
  const { exchange } = account.script;
  const scripted = exchange === undefined ? null : failing(exchange === "refused" ? "rejected" : "unavailable");
  return resultOf(null, takeFault(world, account, "exchange") ?? scripted);
}

/** Calls a provider with credentials that it never issued: the failure of a fault, or null for the usual refusal. */
export function startProbe(
  world: World,
  provider: SocialProvider,
  call: Extract<ProviderCall, "exchange" | "revoke">,
): CallFailure | null {
  return resultOf(null, takeFault(world, { provider, name: null }, call)).failure;
}

/** The failure of a call whose grant ended between request and response. */
export function failureAtEnd(grant: ProviderGrant): CallFailure | null {
  return grant.ended === null ? null : failureOfEnd(grant.provider, grant.ended);
}

/** Refreshes the access token: the failure, or the new expiry. */
export function refresh(
  world: World,
  stored: Grant,
  grant: ProviderGrant,
): CallFailure | { readonly accessTokenExpiresAt: Date | null } {
  const now = world.now();
  const { failure: failed } = startCall(world, grant, "refresh");
  if (failed !== null) return failed;
  if (!stored.hasRefreshToken) {
    // An access token that refreshes itself can do so from its first day until it expires.
    const { accessTokenExpiresAt } = stored;
    if (accessTokenExpiresAt !== null && hasPassed(accessTokenExpiresAt, now)) return failure("grant_gone");
    if (!hasPassed(addMs(grant.createdAt, DAY_SECONDS * 1_000), now)) return failure("rejected");
  }
  return { accessTokenExpiresAt: tokensOf(accountOf(grant), now).accessTokenExpiresAt };
}

function resultOf(grant: ProviderGrant | null, fault: CallFault | null): CallResult {
  switch (fault?.kind) {
    case undefined:
      return SUCCESS;
    case "delay":
      return { delayMs: fault.delayMs, failure: null };
    case "failure":
      return { delayMs: 0, failure: fault.failure };
    case "grant-ends":
      if (grant === null) return { delayMs: 0, failure: failure("rejected") };
      endGrant(grant, fault.cause);
      return { delayMs: 0, failure: failureOfEnd(grant.provider, fault.cause) };
  }
}

/** A call without an account has no name. */
type Caller = Pick<Account, "provider"> & { readonly name: string | null };

function takeFault(world: World, caller: Caller, call: ProviderCall): CallFault | null {
  const { providers } = world.state;
  const rule = providers.faults.find(
    (one) =>
      one.provider === caller.provider &&
      (one.call === "any" || one.call === call) &&
      (one.account === null || one.account === caller.name),
  );
  if (rule === undefined) return null;
  if (rule.left !== null) {
    rule.left -= 1;
    if (rule.left <= 0) providers.faults = providers.faults.filter((one) => one !== rule);
  }
  return rule.fault;
}

function scriptedFault(
  { provider, script }: Account,
  grant: ProviderGrant,
  call: ProviderCall,
  now: Date,
): CallFault | null {
  switch (call) {
    case "list":
      grant.contentCalls += 1;
      return callFault(provider, script.onContentCall?.(grant.contentCalls), now);
    case "profile":
      grant.profileCalls += 1;
      return callFault(provider, script.onProfileCall?.(grant.profileCalls), now);
    case "refresh":
      return script.refresh === "refused" ? failing("grant_gone") : callFault(provider, script.onRefresh, now);
    case "revoke":
      if (script.revoke === undefined) return null;
      if (script.revoke === "rejected") return failing("rejected");
      grant.revocations += 1;
      return grant.revocations <= script.revoke.failuresFirst ? failing("unavailable") : null;
    case "exchange":
      return null;
  }
}
