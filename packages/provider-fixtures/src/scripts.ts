import type { AccountScript } from "./accountScript.ts";
import type { AccountState, ScriptFault } from "./faults.ts";

/** Providers at which a person can grant a part of the requested scopes. */
const WITH_SEVERAL_SCOPES = ["PROVIDER_B", "PROVIDER_C"] as const;
const WITH_REFRESH_TOKENS = ["PROVIDER_A", "PROVIDER_B"] as const;
const WITH_REVOCATION = ["PROVIDER_A", "PROVIDER_B"] as const;
const WITH_SHARED_CONSENT = ["PROVIDER_A", "PROVIDER_B"] as const;
const WITH_HIDDEN_COUNTS = ["PROVIDER_A", "PROVIDER_C"] as const;
/** Providers whose lists of posts end early, by their own limit or the service's. */
const WITH_LIMITED_LISTS = ["PROVIDER_A", "PROVIDER_C"] as const;
/** Providers that say for one post that they do not show it. */
const WITH_REFUSED_POSTS = ["PROVIDER_A", "PROVIDER_C"] as const;
/** Providers that do not say why they do not show a post. */
const WITHOUT_CAUSES = ["PROVIDER_B", "PROVIDER_C"] as const;
/** Providers whose cursors can end; a time cannot. */
const WITH_OPAQUE_CURSORS = ["PROVIDER_A", "PROVIDER_C"] as const;
/** Enough posts in three weeks for several pages of every provider. */
const MANY_PAGES = { postCount: 260, postGapHours: 2 } as const;
const FLAKY_STATUSES = [500, 502, 503] as const;

export const always = (fault: ScriptFault) => (): ScriptFault => fault;

/** The account can be connected, and cannot be read afterwards. */
const unreadable = (kind: AccountState) => ({
  onContentCall: always({ kind }),
  onProfileCall: (n: number) => (n > 1 ? ({ kind } as const) : null),
});

/** A code that no provider documents. */
const UNKNOWN_REFUSAL = {
  ...{ kind: "refused", status: 400, code: "98765" },
  message: "Unsupported request - method type: get",
} as const satisfies ScriptFault;

export const ACCOUNT_SCRIPTS = {
  deny: { consent: "deny", summary: "Consent always ends with access_denied." },
  "provider-error": { consent: "provider-error", summary: "Consent always ends with server_error." },
  "partial-scopes": { providers: WITH_SEVERAL_SCOPES, consent: "fewer-scopes", summary: "Grants only the profile." },
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
    providers: WITH_REFRESH_TOKENS,
    accessTokenSeconds: 30,
    refresh: "rotates",
    summary: "Access lasts 30 seconds and is renewed for every read; the refresh token changes each time.",
  },
  "rate-limited": {
    onContentCall: (n) => (n <= 2 ? { kind: "rate-limited", quota: false, retryAfterSeconds: 1 } : null),
    summary: "The first 2 content calls are rate-limited, later ones succeed.",
  },
  "rate-limited-forever": {
    onContentCall: always({ kind: "rate-limited", quota: true }),
    summary: "Every content call is rate-limited.",
  },
  slow: {
    onContentCall: always({ kind: "delay", delayMs: 2_000 }),
    onProfileCall: always({ kind: "delay", delayMs: 1_000 }),
    summary: "Every content call takes 2 seconds longer, every profile call 1 second.",
  },
  "flaky-5xx": {
    onContentCall: (n) => {
      const status = FLAKY_STATUSES[n - 1];
      return status === undefined ? null : { kind: "status", status };
    },
    summary: "The first 3 content calls are unavailable, later ones succeed.",
  },
  down: { onContentCall: always({ kind: "status", status: 503 }), summary: "Every content call is unavailable." },
  malformed: {
    onContentCall: always({ kind: "body", form: "not-json" }),
    summary: "Every content call returns an unreadable response.",
  },
  "revoke-fails-twice": {
    providers: WITH_REVOCATION,
    revoke: { failuresFirst: 2 },
    summary: "The first 2 revocations are unavailable, the third succeeds.",
  },
  "revoke-rejected": {
    providers: WITH_REVOCATION,
    revoke: "rejected",
    summary: "Revocation is always rejected, and the grant stays active.",
  },
  "removed-app": {
    onContentCall: always({ kind: "grant-gone", cause: "removed-app" }),
    summary: "The person removes the app before the first content call.",
  },
  "grant-gone-after": {
    onContentCall: (n) => (n > 8 ? { kind: "grant-gone", cause: "password-changed" } : null),
    summary: "The grant ends after 8 content calls.",
  },
  "deleted-post": { newestPost: "deleted", summary: "The newest post is deleted after it has been read once." },
  "private-post": { newestPost: "private", summary: "The newest post becomes private after it has been read once." },
  "hidden-likes": { providers: WITH_HIDDEN_COUNTS, likesHidden: true, summary: "Like counts are hidden." },
  "comments-off": {
    providers: WITH_HIDDEN_COUNTS,
    commentsOff: true,
    summary: "Comments are off, and so is their count.",
  },
  "no-shares": { providers: ["PROVIDER_C"], sharesMissing: true, summary: "An account type without shares." },
  "missing-metrics": {
    metricsMissing: true,
    summary: "Posts have no metrics, although the provider offers them.",
  },
  "thousand-posts": { postCount: 1_000, postGapHours: 2, summary: "A thousand posts within 84 days." },
  "ten-thousand-posts": {
    providers: WITH_LIMITED_LISTS,
    postCount: 11_000,
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
  "flat-token": {
    providers: ["PROVIDER_C"],
    responseForm: "flat-token",
    summary: "An ordinary account, for which the code exchange returns another documented form.",
  },
  "not-a-tester": { notATester: true, summary: "An ordinary account that is never on a list of testers." },
  "sibling-1": {
    providers: WITH_SHARED_CONSENT,
    person: "siblings",
    summary: "One of two accounts of the same person.",
  },
  "sibling-2": { providers: WITH_SHARED_CONSENT, person: "siblings", summary: "The other account of the same person." },
  "many-uploads": {
    providers: ["PROVIDER_A"],
    postCount: 3_000,
    postGapHours: 56,
    summary: "3,000 uploads, three of them within a week.",
  },
  burst: { postCount: 120, postsPerSecond: 3, summary: "120 posts within 40 seconds, three in each second." },
  "broken-insights": {
    providers: ["PROVIDER_C"],
    brokenInsights: true,
    summary: "The provider fails for the insights of the newest post.",
  },
  "small-pages": {
    providers: ["PROVIDER_C"],
    largestPage: 25,
    summary: "The provider refuses pages of more than 25 posts.",
  },
  "refused-post": {
    providers: WITH_REFUSED_POSTS,
    newestPostRefused: true,
    summary: "The provider refuses to show the newest post, and shows the others.",
  },
  "posts-hidden-by-id": {
    providers: WITHOUT_CAUSES,
    hidesPostsById: true,
    summary: "The provider lists all posts, and shows none by its id.",
  },
  "field-refused": {
    refusesFields: true,
    summary: "The provider refuses an optional field of the profile and one of posts.",
  },
  "list-lost-once": {
    ...MANY_PAGES,
    listNotFound: "once",
    summary: "The provider does not find the second page of the list, once.",
  },
  "list-lost": {
    ...MANY_PAGES,
    listNotFound: "always",
    summary: "The provider finds only the first page of the list.",
  },
  "limit-within-page": {
    providers: ["PROVIDER_C"],
    limitAfterPosts: 5,
    summary: "A limit of a minute is reached when the numbers of five posts were read.",
  },
  "cursor-returns": {
    ...MANY_PAGES,
    cursors: "returning",
    summary: "The third page of the list leads back to the second one.",
  },
  "cursor-rejected": {
    ...MANY_PAGES,
    providers: WITH_OPAQUE_CURSORS,
    cursors: "rejected-once",
    summary: "The provider rejects its own cursor of the second page, once.",
  },
  "cursor-stuck": {
    ...MANY_PAGES,
    cursors: "stuck",
    summary: "The second page of the list names itself as the next one.",
  },
  "repeated-posts": {
    ...MANY_PAGES,
    repeatsPosts: true,
    summary: "The first post is listed twice, and each page repeats the last post of the page before.",
  },
  "other-forms": {
    otherForms: true,
    summary: "Ordinary values in other forms: numbers as text, dates with an offset, links without a scheme.",
  },
  "photo-posts": {
    providers: ["PROVIDER_B"],
    forms: [
      ["photo", 0.5],
      ["video", 1],
    ],
    summary: "Half of the posts are photos, whose links have another form.",
  },
  "visited-ahead": {
    visitedAhead: true,
    summary: "A link checker requests the callback before the person returns, with HEAD and as a prefetch.",
  },
  "refresh-token-ends": {
    providers: WITH_REFRESH_TOKENS,
    refreshTokenSeconds: 5 * 86_400,
    summary: "The refresh token ends five days after the consent, as the token response says.",
  },
  "account-suspended": {
    ...unreadable("account-suspended"),
    summary: "The account is suspended after the connection; its tokens still work.",
  },
  "account-closed": {
    providers: ["PROVIDER_A", "PROVIDER_B"],
    ...unreadable("account-closed"),
    summary: "The person closes the account after the connection; its tokens still work.",
  },
  "account-blocked": {
    providers: ["PROVIDER_A"],
    ...unreadable("account-blocked-by-organization"),
    summary: "The account's organization blocks the application after the connection.",
  },
  "refresh-blocked": {
    providers: ["PROVIDER_A"],
    accessTokenSeconds: 30,
    onRefresh: { kind: "account-blocked-by-organization" },
    summary: "Access lasts 30 seconds, and the account's organization blocks every refresh.",
  },
  "not-professional": {
    providers: ["PROVIDER_C"],
    ...unreadable("account-not-professional"),
    summary: "The account is no longer professional after the connection; its tokens still work.",
  },
  "application-blocked": {
    onContentCall: always({ kind: "application-blocked" }),
    summary: "The provider blocks the application for every content call.",
  },
  "application-without-capability": {
    onContentCall: always({ kind: "application-blocked", form: "capability" }),
    summary: "The provider says for every content call that the application lacks a capability.",
  },
  "application-without-permission": {
    providers: ["PROVIDER_C"],
    onContentCall: always({ kind: "application-blocked", form: "permission" }),
    summary: "Every content call lacks a permission, which the person granted.",
  },
  "refused-reads": {
    onContentCall: always(UNKNOWN_REFUSAL),
    summary: "The provider refuses every content call with an undocumented code.",
  },
  "refused-profile": {
    onProfileCall: (n) => (n > 1 ? UNKNOWN_REFUSAL : null),
    summary: "After the connection, the provider refuses every profile call with an undocumented code.",
  },
  "refused-refresh": {
    providers: WITH_REFRESH_TOKENS,
    accessTokenSeconds: 30,
    onRefresh: { ...UNKNOWN_REFUSAL, code: "access_denied", message: "The account is restricted." },
    summary: "Access lasts 30 seconds, and every refresh is refused with an undocumented code.",
  },
  "daily-limit-as-429": {
    providers: ["PROVIDER_A"],
    onContentCall: always({ kind: "rate-limited", quota: true, isShortLimitCode: true }),
    summary: "The day's quota is spent, which the provider says with the code of a short limit.",
  },
} as const satisfies Record<string, AccountScript>;

export const ORDINARY_SUMMARY = "An ordinary account with dozens of posts.";
