import type { SocialProvider } from "@social-connect/contract";
import { SOCIAL_PROVIDERS } from "@social-connect/contract";
import type { CallFault } from "../state/providerCall.ts";
import { failing } from "../state/providerCall.ts";
import { PROVIDERS } from "./providers.ts";

/**
 * The behavior of a scripted account, selected by the account's name. The simulator of the service uses the same names.
 * Content calls read posts; profile calls succeed unless the script has `onProfileCall`.
 */
export interface Script {
  readonly summary: string;
  readonly providers?: readonly SocialProvider[];
  /** Overrides what the person chooses on the consent page. */
  readonly consent?: "deny" | "provider-error" | "fewer-scopes" | "no-scopes";
  readonly exchange?: "refused" | "unavailable";
  readonly accessTokenSeconds?: number;
  readonly refreshTokenSeconds?: number;
  readonly refresh?: "refused";
  /** The fault of the n-th content call of a grant, counted from 1; null for success. */
  readonly onContentCall?: (callNumber: number) => CallFault | null;
  readonly onProfileCall?: (callNumber: number) => CallFault | null;
  /** The number of failures before a revocation succeeds, or that every revocation is rejected. */
  readonly revoke?: { readonly failuresFirst: number } | "rejected";
  /** The newest post's visibility after its details have been read. */
  readonly newestPost?: "deleted" | "private";
  readonly postCount?: number;
  readonly postGapHours?: number;
  readonly likesHidden?: boolean;
  readonly commentsOff?: boolean;
  readonly sharesMissing?: boolean;
  readonly metricsMissing?: boolean;
  readonly texts?: "unicode" | "hostile";
  readonly hasChannel?: boolean;
  /** Never on a list of testers. */
  readonly notATester?: boolean;
  /** Accounts with the same value belong to one person at the provider. */
  readonly person?: string;
}

const A_AND_B = ["PROVIDER_A", "PROVIDER_B"] as const;
const A_AND_C = ["PROVIDER_A", "PROVIDER_C"] as const;
const B_AND_C = ["PROVIDER_B", "PROVIDER_C"] as const;
const always = (fault: CallFault) => (): CallFault => fault;
const DOWN = always(failing("unavailable"));

/** Accounts with scripted behavior, selected by name at consent. */
export const SCRIPTS = {
  deny: { consent: "deny", summary: "Consent always ends with access_denied." },
  "provider-error": { consent: "provider-error", summary: "Consent always ends with server_error." },
  "partial-scopes": {
    providers: B_AND_C,
    consent: "fewer-scopes",
    summary: "Grants only the profile.",
  },
  "no-scopes": { consent: "no-scopes", summary: "Goes through consent and grants no capability at all." },
  "exchange-refused": { exchange: "refused", summary: "The code exchange is refused." },
  "exchange-5xx": { exchange: "unavailable", summary: "The code exchange is always unavailable." },
  "expired-refresh": {
    accessTokenSeconds: 30,
    refreshTokenSeconds: 30,
    refresh: "refused",
    summary: "Tokens end after 30 seconds and no refresh works.",
  },
  "rotating-refresh": {
    providers: A_AND_B,
    accessTokenSeconds: 30,
    summary: "Access lasts 30 seconds and is renewed for every read.",
  },
  "rate-limited": {
    onContentCall: (n) => (n <= 2 ? failing("rate_limited", { retryAfterSeconds: 1 }) : null),
    summary: "The first 2 content calls are rate-limited, later ones succeed.",
  },
  "rate-limited-forever": {
    onContentCall: always(failing("rate_limited")),
    summary: "Every content call is rate-limited.",
  },
  slow: {
    onContentCall: always({ kind: "delay", delayMs: 2_000 }),
    onProfileCall: always({ kind: "delay", delayMs: 1_000 }),
    summary: "Every content call takes 2 seconds longer, every profile call 1 second.",
  },
  "flaky-5xx": {
    onContentCall: (n) => (n <= 3 ? failing("unavailable") : null),
    summary: "The first 3 content calls are unavailable, later ones succeed.",
  },
  down: { onContentCall: DOWN, summary: "Every content call is unavailable." },
  malformed: { onContentCall: DOWN, summary: "Every content call returns an unreadable response." },
  "revoke-fails-twice": {
    providers: A_AND_B,
    revoke: { failuresFirst: 2 },
    summary: "The first 2 revocations are unavailable, the third succeeds.",
  },
  "revoke-rejected": {
    providers: A_AND_B,
    revoke: "rejected",
    summary: "Revocation is always rejected, and the grant stays active.",
  },
  "removed-app": {
    onContentCall: always({ kind: "grant-ends", cause: "removed-app" }),
    summary: "The person removes the app before the first content call.",
  },
  "grant-gone-after": {
    onContentCall: (n) => (n > 8 ? { kind: "grant-ends", cause: "password-changed" } : null),
    summary: "The grant ends after 8 content calls.",
  },
  "deleted-post": { newestPost: "deleted", summary: "The newest post is deleted after it has been read once." },
  "private-post": { newestPost: "private", summary: "The newest post becomes private after it has been read once." },
  "hidden-likes": { providers: A_AND_C, likesHidden: true, summary: "Like counts are hidden." },
  "comments-off": { providers: A_AND_C, commentsOff: true, summary: "Comments are off, and so is their count." },
  "no-shares": { providers: ["PROVIDER_C"], sharesMissing: true, summary: "An account type without shares." },
  "missing-metrics": {
    metricsMissing: true,
    summary: "Posts have no metrics, although the provider offers them.",
  },
  "thousand-posts": { postCount: 1_000, postGapHours: 2, summary: "A thousand posts within 84 days." },
  "ten-thousand-posts": {
    providers: A_AND_C,
    postCount: 10_400,
    postGapHours: 0.2,
    summary: "More posts than one scan, or one chain of scans, covers.",
  },
  unicode: { texts: "unicode", summary: "Names and captions in many scripts, with emoji and right-to-left text." },
  "hostile-text": {
    texts: "hostile",
    postCount: 12,
    summary: "Markup, control characters, lone surrogates and counts beyond 2^53 in posts.",
  },
  empty: { postCount: 0, summary: "No posts at all." },
  "no-channel": { providers: ["PROVIDER_A"], hasChannel: false, postCount: 0, summary: "A person who has no channel." },
  "flat-token": { providers: ["PROVIDER_C"], summary: "An ordinary account." },
  "not-a-tester": { notATester: true, summary: "An ordinary account that is never on a list of testers." },
  "sibling-1": { providers: A_AND_B, person: "siblings", summary: "One of two accounts of the same person." },
  "sibling-2": { providers: A_AND_B, person: "siblings", summary: "The other account of the same person." },
} as const satisfies Record<string, Script>;

/** Name of an account that behaves by a script. */
export type ScriptName = keyof typeof SCRIPTS;

const PLAIN: Script = { summary: "An ordinary account with dozens of posts." };

/** The script of an account's name; null for a script of other providers only. */
export function scriptOf(provider: SocialProvider, name: string): Script | null {
  const script: Script | undefined = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name as ScriptName] : undefined;
  if (script === undefined) return PLAIN;
  return (script.providers ?? SOCIAL_PROVIDERS).includes(provider) ? script : null;
}

/** Names of the scripts of a provider. */
export function scriptNames(provider: SocialProvider): ScriptName[] {
  return (Object.keys(SCRIPTS) as ScriptName[]).filter((name) => scriptOf(provider, name) !== null);
}

/** Names that the consent page offers: ordinary accounts, then scripted ones. Empty for an unknown provider. */
export function offeredNames(provider: SocialProvider): string[] {
  return [...(PROVIDERS[provider]?.ordinaryAccounts ?? []), ...scriptNames(provider)];
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
