import { setTimeout as delay } from "node:timers/promises";
import type { AccountState } from "@social-connect/provider-fixtures";
import type { Account } from "../accounts/account.ts";
import type { Fault } from "../shared/fault.ts";
import { type Call, retryAfter } from "../shared/http.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { World } from "../state/createWorld.ts";
import type { Grant } from "../state/grants.ts";
import { dropConnection, sendBrokenBody } from "./brokenBody.ts";
import { inOtherForms } from "./otherForms.ts";

type ResponseHeaders = Readonly<Record<string, string>>;

/** A provider's responses for errors that all providers have. */
export interface ErrorForms {
  /** `headers` has the Retry-After of an explicit fault. */
  unavailable(status: number, headers?: ResponseHeaders): Response;
  rateLimited(
    quota: boolean,
    headers: ResponseHeaders,
    retryAfterSeconds?: number,
    isShortLimitCode?: boolean,
  ): Response;
  accountUnreadable(state: AccountState): Response;
  applicationBlocked(): Response;
  /** A token of an ended grant. */
  grantGone(grant: Grant): Response;
}

export interface CallFacts {
  readonly provider: ProviderKey;
  readonly endpoint: string;
  /** Selects the part of the script that applies. */
  readonly group: "content" | "profile" | "sign-in" | "refresh";
  readonly account?: Account | undefined;
  readonly grant?: Grant | undefined;
}

/** Handles a call, or applies a fault of the control API or of the account's script. */
export async function withFaults(
  world: World,
  call: Call,
  facts: CallFacts,
  forms: ErrorForms,
  handle: () => Promise<Response> | Response,
): Promise<Response> {
  const trace = call.get("trace");
  trace.endpoint = facts.endpoint;
  if (facts.account !== undefined) trace.account = facts.account.name;
  const requested = world.faults.take(facts.provider, facts.endpoint, facts.account?.name);
  const scripted = scriptedFault(world, facts);
  const fault = requested ?? scripted;
  if (fault === null) return facts.account?.script.otherForms ? inOtherForms(await handle()) : handle();
  trace.note = `fault: ${fault.kind}`;
  switch (fault.kind) {
    case "status":
      return forms.unavailable(fault.status, retryAfter(fault.retryAfterSeconds));
    case "rate-limited":
      return forms.rateLimited(
        fault.quota,
        retryAfter(fault.retryAfterSeconds),
        fault.retryAfterSeconds,
        fault.isShortLimitCode,
      );
    case "account-suspended":
    case "account-closed":
    case "account-blocked-by-organization":
    case "account-not-professional":
      return forms.accountUnreadable(fault.kind);
    case "application-blocked":
      return forms.applicationBlocked();
    case "grant-gone":
      if (facts.grant === undefined) return handle();
      // Only this grant: other applications may use the same scripted account.
      world.grants.end(facts.grant, fault.cause);
      return forms.grantGone(facts.grant);
    case "delay":
      await delay(fault.delayMs);
      return handle();
    case "body":
      return sendBrokenBody(call, fault.form);
    case "lost-answer":
      await handle();
      return dropConnection(call);
  }
}

function scriptedFault(world: World, { group, account, grant }: CallFacts): Fault | null {
  if (account === undefined || grant === undefined || group === "sign-in") return null;
  if (group === "refresh") return account.script.onRefresh ?? null;
  const counter = group === "content" ? "contentCalls" : "profileCalls";
  const callNumber = (grant.counters[counter] ?? 0) + 1;
  grant.counters[counter] = callNumber;
  const script = group === "content" ? account.script.onContentCall : account.script.onProfileCall;
  if (script === undefined) return null;
  world.save();
  return script(callNumber);
}
