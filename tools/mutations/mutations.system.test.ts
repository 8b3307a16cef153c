import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import type { Mutation } from "./mutate.ts";

const run = promisify(execFile);
const pathOf = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** A rule of the domain made a little wrong, and the conformance case that has to notice. */
const MUTATIONS: Readonly<Record<string, Mutation & { readonly caughtBy: string }>> = {
  "a return URL need only begin like a registered one": {
    file: "urls/returnUrl.ts",
    from: "rules.registered.includes(returnUrl)",
    to: "rules.registered.some((registered) => returnUrl.startsWith(registered))",
    caughtBy: "S2.ConnectInput.returnUrl.trailing-slash",
  },
  "one unfinished attempt more is let through": {
    file: "connect/connectAttempt.ts",
    from: "open.length < limit",
    to: "open.length <= limit",
    caughtBy: "S8.unfinished-connects.exact-PROVIDER_A",
  },
  "an attempt that is being exchanged never expires": {
    file: "connect/connectAttempt.ts",
    from: 'from: ["CREATED", "AUTHORIZING", "EXCHANGING"], to: "EXPIRED"',
    to: 'from: ["CREATED", "AUTHORIZING"], to: "EXPIRED"',
    caughtBy: "S8.connect-deadline.exchanging",
  },
  "any account may connect in sandbox mode": {
    file: "connect/link.ts",
    from: "if (!facts.mayConnect)",
    to: "if (false)",
    caughtBy: "S3.attempt.not-a-tester-PROVIDER_C",
  },
  "a redeemed proof is valid again": {
    file: "identity/identityAttempt.ts",
    from: 'patch: status === "PENDING" ? null : { status, redeemedAt: now }',
    to: "patch: null",
    caughtBy: "S3.identity.completed-ada",
  },
  "the tenant of a scope is not checked": {
    file: "applications/policy.ts",
    from: "if (!application.tenantKeys.includes(wanted.tenantKey))",
    to: "if (false)",
    caughtBy: "S2.ConnectInput.scope.unregistered",
  },
  "a window may be a day longer": {
    file: "content/window.ts",
    from: "spanMs > LIMITS.windowSpanMs",
    to: "spanMs > LIMITS.windowSpanMs + 86_400_000",
    caughtBy: "S8.window-span.content",
  },
  "a provider that takes nothing back is said to have": {
    file: "disconnect/revocation.ts",
    from: 'return { status: "FAILED", errorCode: "REVOKE_UNSUPPORTED", creatorAction: "REMOVE_APP_AT_PROVIDER" }',
    to: 'return { status: "SUCCEEDED", errorCode: null, creatorAction: null }',
    caughtBy: "S4.disconnect.creatorAction-PROVIDER_C",
  },
  "a late message about a removed app ends a later consent": {
    file: "disconnect/providerMessages.ts",
    from: "updatedAt > addMs(signedAt, CONSENT_TOLERANCE_MS)",
    to: "false",
    caughtBy: "S4.disconnect.app-removed-before-consent",
  },
  "the scheme of a key may be written in lower case": {
    file: "keys/bearerKey.ts",
    from: "const APPLICATION_KEY = new RegExp(`^Bearer ",
    to: "const APPLICATION_KEY = new RegExp(`^[Bb]earer ",
    caughtBy: "S5.shape.lower-case-scheme",
  },
  "an expired key is as good as ever": {
    file: "keys/keyLifetime.ts",
    from: "key.revokedAt === null && (key.expiresAt === null || !hasPassed(key.expiresAt, now))",
    to: "key.revokedAt === null",
    caughtBy: "S5.admin.key.expired",
  },
  "an admin has one key more": {
    file: "api-keys/apiKeys.ts",
    from: "countActiveKeys(keys, now) >= limit",
    to: "countActiveKeys(keys, now) > limit",
    caughtBy: "S8.admin.active-keys",
  },
  "a READ key may change things": {
    file: "documents/adminDocument.ts",
    from: 'if (scope === "READ" && changes)',
    to: "if (false)",
    caughtBy: "S4.admin.class.setClientDisplayName",
  },
  "the content of a fragment is not checked": {
    file: "documents/adminDocument.ts",
    from: "if (fragment !== undefined) open.push(fragment);",
    to: "",
    caughtBy: "S4.admin.document.panel-in-a-fragment",
  },
  "the last origin can be removed": {
    file: "clients/changes.ts",
    from: "client.webOrigins.length === 1",
    to: "client.webOrigins.length === 0",
    caughtBy: "S4.admin.origins",
  },
};

const CAUGHT_BY = [...new Set(Object.values(MUTATIONS).map(({ caughtBy }) => caughtBy))];

/** The results of cases in a separate process, in which one rule may be changed. */
async function outcomes(ids: readonly string[], mutation: Mutation | null): Promise<Record<string, string>> {
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const { stdout } = await run(
    process.execPath,
    [...flags, "--import", pathOf("mutate.ts"), pathOf("runCases.ts"), JSON.stringify(mutation ?? {}), ...ids],
    { maxBuffer: 10_000_000 },
  );
  return JSON.parse(stdout.trim().split("\n").at(-1) ?? "{}") as Record<string, string>;
}

describe("a rule that is changed makes a conformance case fail", () => {
  let unchanged: Record<string, string>;
  beforeAll(async () => {
    unchanged = await outcomes(CAUGHT_BY, null);
  });

  test("all cases pass with unchanged rules", () => {
    expect(unchanged).toEqual(Object.fromEntries(CAUGHT_BY.map((id) => [id, "passed"])));
  });

  test.each(Object.entries(MUTATIONS))("%s", async (_, { caughtBy, ...mutation }) => {
    expect(await outcomes([caughtBy], mutation)).toEqual({ [caughtBy]: "failed" });
  });
});
