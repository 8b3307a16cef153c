import type { Fault } from "../shared/fault.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";

/**
 * What a scripted account does, as data. An account is chosen by the script's name on the consent page. Content calls
 * are those that read posts; profile calls stay good, so that a connection can be made before anything goes wrong.
 */
export interface Script {
  readonly name: string;
  readonly summary: string;
  readonly providers: readonly ProviderKey[];
  /** Overrides what the person chooses on the consent page. */
  readonly consent?: "deny" | "provider-error" | "fewer-scopes" | "no-scopes";
  /** How the code exchange fails. */
  readonly exchange?: "refused" | "unavailable";
  /** Lifetime of access tokens, in place of the provider's usual one. */
  readonly accessTokenSeconds?: number;
  /** Lifetime of refresh tokens, where the provider tells one. */
  readonly refreshTokenSeconds?: number;
  /** `refused`: a refresh never works. `rotates`: each refresh replaces the refresh token, and a replay ends the grant. */
  readonly refresh?: "refused" | "rotates";
  /** What happens on the n-th content call of a grant, counted from 1; null for a good answer. */
  readonly onContentCall?: (callNumber: number) => Fault | null;
  /** What happens on the n-th profile call of a grant. */
  readonly onProfileCall?: (callNumber: number) => Fault | null;
  /** How many revocations fail with 503 before one works, or that none ever will. */
  readonly revoke?: { readonly failuresFirst: number } | "rejected";
  /** What becomes of the newest post once its details have been read. */
  readonly newestPost?: "deleted-once-read" | "private-once-read";
  readonly postCount?: number;
  readonly postGapHours?: number;
  readonly likesHidden?: boolean;
  readonly commentsOff?: boolean;
  readonly sharesMissing?: boolean;
  readonly metricsMissing?: boolean;
  /** `named`: every text holds the account's name, so that a trace of it can be searched for. */
  readonly texts?: "unicode" | "hostile" | "named";
  readonly hasChannel?: boolean;
  /** Provider C's sign-in and profile answers are documented in one form and were captured in another. */
  readonly answerForm?: "flat-token" | "array-profile";
  readonly tester?: boolean;
  /** Accounts with the same value belong to one person at the provider. */
  readonly person?: string;
}

const ALL: readonly ProviderKey[] = ["provider-a", "provider-b", "provider-c"];
const A_AND_B: readonly ProviderKey[] = ["provider-a", "provider-b"];
const A_AND_C: readonly ProviderKey[] = ["provider-a", "provider-c"];
const B_AND_C: readonly ProviderKey[] = ["provider-b", "provider-c"];

const always = (fault: Fault) => (): Fault => fault;
const FLAKY_STATUSES = [500, 502, 503] as const;

export const SCRIPTS: readonly Script[] = [
  { name: "deny", providers: ALL, consent: "deny", summary: "Consent always ends with access_denied." },
  {
    name: "provider-error",
    providers: ALL,
    consent: "provider-error",
    summary: "Consent always ends with server_error.",
  },
  {
    name: "partial-scopes",
    providers: B_AND_C,
    consent: "fewer-scopes",
    summary: "Grants the profile and nothing beyond it.",
  },
  {
    name: "no-scopes",
    providers: ALL,
    consent: "no-scopes",
    summary: "Goes through consent and grants no capability at all.",
  },
  {
    name: "exchange-refused",
    providers: ALL,
    exchange: "refused",
    summary: "The code exchange is refused as an unknown code.",
  },
  { name: "exchange-5xx", providers: ALL, exchange: "unavailable", summary: "The code exchange always answers 503." },
  {
    name: "expired-refresh",
    providers: ALL,
    accessTokenSeconds: 30,
    refreshTokenSeconds: 30,
    refresh: "refused",
    summary: "Tokens end after 30 seconds and no refresh works.",
  },
  {
    name: "rotating-refresh",
    providers: A_AND_B,
    accessTokenSeconds: 30,
    refresh: "rotates",
    summary: "Access lasts 30 seconds; each refresh replaces the refresh token, and using an old one ends the grant.",
  },
  {
    name: "rate-limited",
    providers: ALL,
    onContentCall: (n) => (n <= 2 ? { kind: "rate-limited", quota: false, retryAfterSeconds: 1 } : null),
    summary: "The first 2 content calls are over the limit, then all is well.",
  },
  {
    name: "rate-limited-forever",
    providers: ALL,
    onContentCall: always({ kind: "rate-limited", quota: true }),
    summary: "Every content call is over the limit.",
  },
  {
    name: "slow",
    providers: ALL,
    onContentCall: always({ kind: "delay", delayMs: 2_000 }),
    onProfileCall: always({ kind: "delay", delayMs: 1_000 }),
    summary: "Every content call takes 2 seconds longer, every profile call 1 second.",
  },
  {
    name: "flaky-5xx",
    providers: ALL,
    onContentCall: (n) => {
      const status = FLAKY_STATUSES[n - 1];
      return status === undefined ? null : { kind: "status", status };
    },
    summary: "The first 3 content calls answer 500, 502 and 503, then all is well.",
  },
  {
    name: "down",
    providers: ALL,
    onContentCall: always({ kind: "status", status: 503 }),
    summary: "Every content call answers 503.",
  },
  {
    name: "revoke-fails-twice",
    providers: A_AND_B,
    revoke: { failuresFirst: 2 },
    summary: "Revocation answers 503 twice, then works.",
  },
  {
    name: "revoke-rejected",
    providers: A_AND_B,
    revoke: "rejected",
    summary: "Revocation is always refused, and the grant lives on.",
  },
  {
    name: "removed-app",
    providers: ALL,
    onContentCall: always({ kind: "grant-gone", cause: "removed-app" }),
    summary: "The person removes the app before the first content call.",
  },
  {
    name: "grant-gone-after",
    providers: ALL,
    onContentCall: (n) => (n > 8 ? { kind: "grant-gone", cause: "password-changed" } : null),
    summary: "The grant works for 8 content calls and is gone at the next.",
  },
  {
    name: "deleted-post",
    providers: ALL,
    newestPost: "deleted-once-read",
    summary: "The newest post is deleted as soon as its details were read once.",
  },
  {
    name: "private-post",
    providers: ALL,
    newestPost: "private-once-read",
    summary: "The newest post is made private as soon as its details were read once.",
  },
  {
    name: "hidden-likes",
    providers: A_AND_C,
    likesHidden: true,
    summary: "Like counts are hidden: the field is absent.",
  },
  {
    name: "comments-off",
    providers: A_AND_C,
    commentsOff: true,
    summary: "Comments are off: the count is absent where the provider leaves it out.",
  },
  {
    name: "no-shares",
    providers: ["provider-c"],
    sharesMissing: true,
    summary: "An account type whose insights have no shares.",
  },
  {
    name: "missing-metrics",
    providers: ALL,
    metricsMissing: true,
    summary: "Posts come without their numbers: no counts at A and B, an empty set of insights at C.",
  },
  {
    name: "thousand-posts",
    providers: ALL,
    postCount: 1_000,
    postGapHours: 2,
    summary: "A thousand posts within 84 days.",
  },
  {
    name: "ten-thousand-posts",
    providers: A_AND_C,
    postCount: 10_400,
    postGapHours: 0.2,
    summary: "More posts than one scan, or one chain of scans, goes through.",
  },
  {
    name: "unicode",
    providers: ALL,
    texts: "unicode",
    summary: "Names and captions in many scripts, with emoji and right-to-left text.",
  },
  {
    name: "hostile-text",
    providers: ALL,
    texts: "hostile",
    postCount: 12,
    summary: "Markup, control characters, NUL, lone surrogates and counts beyond 2^53 in posts.",
  },
  { name: "empty", providers: ALL, postCount: 0, summary: "No posts at all." },
  {
    name: "no-channel",
    providers: ["provider-a"],
    hasChannel: false,
    postCount: 0,
    summary: "A person who has no channel.",
  },
  {
    name: "flat-token",
    providers: ["provider-c"],
    answerForm: "flat-token",
    summary: "The code exchange answers a flat object with a numeric user id of 17 digits.",
  },
  {
    name: "array-profile",
    providers: ["provider-c"],
    answerForm: "array-profile",
    summary: "The profile comes inside a data array.",
  },
  {
    name: "malformed",
    providers: ALL,
    onContentCall: always({ kind: "body", form: "not-json" }),
    summary: "Content calls answer 200 with a page that is not JSON.",
  },
  {
    name: "cut-body",
    providers: ALL,
    onContentCall: always({ kind: "body", form: "cut" }),
    summary: "Content calls break off in the middle of the body.",
  },
  {
    name: "other-shape",
    providers: ALL,
    onContentCall: always({ kind: "body", form: "other-shape" }),
    summary: "Content calls answer JSON of another shape.",
  },
  {
    name: "huge-body",
    providers: ALL,
    onContentCall: always({ kind: "body", form: "huge" }),
    summary: "Content calls answer with 64 MiB.",
  },
  {
    name: "stalled-body",
    providers: ALL,
    onContentCall: always({ kind: "body", form: "stalled" }),
    summary: "Content calls send a few bytes and then nothing more.",
  },
  {
    name: "not-a-tester",
    providers: ALL,
    tester: false,
    summary: "An ordinary account that is on nobody's list of testers.",
  },
  { name: "sibling-1", providers: A_AND_B, person: "siblings", summary: "One of two accounts of the same person." },
  { name: "sibling-2", providers: A_AND_B, person: "siblings", summary: "The other account of the same person." },
];
