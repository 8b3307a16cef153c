import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import {
  ACCOUNT_SCRIPTS,
  type AccountScript,
  FAULTS,
  ORDINARY_SUMMARY,
  PROVIDER_FIXTURES,
  type ScriptFault,
} from "@social-connect/provider-fixtures";
import { type CallFault, failing } from "../state/providerCall.ts";
import { PROVIDERS } from "./providers.ts";

export type Script = AccountScript;

/** Accounts with scripted behavior, selected by name at consent. */
export const SCRIPTS = ACCOUNT_SCRIPTS;

/** Name of an account that behaves by a script. */
export type ScriptName = keyof typeof SCRIPTS;

const PLAIN: Script = { summary: ORDINARY_SUMMARY };

/** What the service makes of a fault, by whose it is. */
const FAILURES = {
  account: "account_unreadable",
  application: "application_refused",
  provider: "unavailable",
} as const;

/** What the service makes of a fault in a provider's response. */
export function callFault(
  provider: SocialProvider,
  fault: ScriptFault | null | undefined,
  now: Date,
): CallFault | null {
  if (fault === null || fault === undefined) return null;
  switch (fault.kind) {
    case "delay":
      return fault;
    case "grant-gone":
      return { kind: "grant-ends", cause: fault.cause };
    case "rate-limited":
      return failing("rate_limited", {
        retryAfterSeconds: fault.quota ? PROVIDERS[provider].quotaWaitSeconds(now) : (fault.retryAfterSeconds ?? null),
      });
    case "refused":
      return failing("rejected", { refusal: { status: fault.status, code: fault.code, message: fault.message } });
    default:
      return failing(FAILURES[FAULTS[fault.kind].of]);
  }
}

/** The script of an account's name; null for a script of other providers only. */
export function scriptOf(provider: SocialProvider, name: string): Script | null {
  const script: Script | undefined = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as ScriptName] : undefined;
  if (script === undefined) return PLAIN;
  return (script.providers ?? SOCIAL_PROVIDERS).includes(provider) ? script : null;
}

export function scriptNames(provider: SocialProvider): ScriptName[] {
  return (Object.keys(SCRIPTS) as ScriptName[]).filter((name) => scriptOf(provider, name) !== null);
}

/** Names that the consent page offers: ordinary accounts, then scripted ones. Empty for an unknown provider. */
export function offeredNames(provider: SocialProvider): string[] {
  return [...(PROVIDER_FIXTURES[provider]?.ordinaryAccounts ?? []), ...scriptNames(provider)];
}

/** The offered accounts with the summaries of their scripts. */
export function offeredAccounts(
  provider: SocialProvider,
): { readonly name: string; readonly summary: string; readonly isTester: boolean }[] {
  return offeredNames(provider).map((name) => {
    const { summary, notATester } = scriptOf(provider, name) ?? PLAIN;
    return { name, summary, isTester: notATester !== true };
  });
}
