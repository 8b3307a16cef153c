import { PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { whileRegistration } from "./support/accounts.ts";
import { ALL_CAPABILITIES } from "./support/attempts.ts";
import { type Connected, connect, connectAndSettle, listedConnection, readConnection } from "./support/connections.ts";
import { contentRefused } from "./support/content.ts";
import { connectionOutcome } from "./support/disconnects.ts";
import { isWithheld, isWithheldInList } from "./support/findings.ts";

async function refusedAndListed(t: CaseContext, connected: Connected, code: string, status: string): Promise<void> {
  await t.refuses("connection", { scope: connected.scope, id: connected.connectionId }, code);
  isWithheldInList(t, await listedConnection(t, connected), status, code);
}

async function servedAgain(t: CaseContext, connected: Connected): Promise<void> {
  t.equal((await readConnection(t, connected)).status, "CONNECTED", "it is served again");
}

async function refusedWhile(t: CaseContext, state: "PAUSED" | "serves-none", code: string): Promise<void> {
  const connected = await connectAndSettle(t);
  await whileRegistration(t, "PROVIDER_C", state, async () => {
    await refusedAndListed(t, connected, code, "SUSPENDED");
    await contentRefused(t, connected, code);
    const { providers } = await t.get("integrationReadiness", {});
    t.equal(providers.find((entry) => entry.provider === "PROVIDER_C")?.available, false, "readiness");
  });
  await servedAgain(t, connected);
}

export const RECHECK_CASES = defineCasesWith({ needs: ["provider", "operator"] })({
  "S3.rule1.paused": {
    title:
      "While the provider's registration is paused, connection is AUTHORIZATION_SUSPENDED and connections shows SUSPENDED.",
    lane: "alone",
    reaches: ["rule:part3.1.paused", "rule:part3.4.paused", "enum:ConnectionStatus.SUSPENDED"],
    run: (t) => refusedWhile(t, "PAUSED", "AUTHORIZATION_SUSPENDED"),
  },
  "S3.rule1.not-served": {
    title:
      "While the registration does not serve the application, connection is CAPABILITY_UNAVAILABLE and connections shows SUSPENDED.",
    lane: "alone",
    reaches: ["rule:part3.1.not-served", "rule:part3.4.not-served"],
    run: (t) => refusedWhile(t, "serves-none", "CAPABILITY_UNAVAILABLE"),
  },
  ...caseForEach(
    [
      ["tenant", { tenantKeys: ["tenant-two"] }],
      ["provider", { providers: ["PROVIDER_A"] }],
      ["capability", { capabilities: ["PROFILE"] }],
    ],
    ([what, policy]) => ({
      id: `S3.rule1.policy-${what}`,
      title: `When the policy no longer allows the ${what}, connection is FORBIDDEN and connections shows SUSPENDED.`,
      reaches: [
        `rule:part3.1.${what}`,
        "code:FORBIDDEN",
        ...(what === "tenant" ? [] : ["rule:part3.4.policy", "reason:FORBIDDEN"]),
      ],
      run: async (t) => {
        const connected = await connectAndSettle(t);
        const scope = connected.scope;
        await t.driver("operator").setPolicy(t.application, policy);
        if (what === "tenant") {
          // The tenant is then unregistered, so `connections` as a whole is FORBIDDEN.
          await t.refuses("connection", { scope, id: connected.connectionId }, "FORBIDDEN");
          await t.refuses("connections", { scope }, "FORBIDDEN");
        } else {
          await refusedAndListed(t, connected, "FORBIDDEN", "SUSPENDED");
          await contentRefused(t, connected, "FORBIDDEN");
        }
        await t.driver("operator").setPolicy(t.application, {
          providers: PROVIDERS,
          capabilities: ALL_CAPABILITIES,
          tenantKeys: t.application.tenantKeys,
        });
        await servedAgain(t, connected);
      },
    }),
  ),
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S3.rule1.grant-gone-${provider}`,
    title: `When ${provider} reports that the grant is revoked, the connection needs a reconnect, in every operation until it is reconnected.`,
    needs: ["provider"],
    reaches: [
      "rule:part3.2.reconnect-required",
      "transition:connection.CONNECTED.RECONNECT_REQUIRED",
      "transition:connection.RECONNECT_REQUIRED.CONNECTED",
      "code:RECONNECT_REQUIRED",
    ],
    run: async (t) => {
      // The grant ends at the first content call, which a worker may make before the first read.
      const { connected } = await t.eventually(
        "a read before the first content call",
        async () => {
          const connected = await connect(t, { provider, account: "removed-app" });
          return { connected, seen: await connectionOutcome(t, connected) };
        },
        ({ seen }) => seen.ok && seen.value.status === "CONNECTED",
      );
      const row = await t.eventually(
        "the first content call detects the revoked grant",
        () => connectionOutcome(t, connected),
        (outcome) => !outcome.ok || outcome.value.status !== "CONNECTED",
      );
      isWithheld(t, t.value(row), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      isWithheld(t, await listedConnection(t, connected), "RECONNECT_REQUIRED", "RECONNECT_REQUIRED");
      await contentRefused(t, connected, "RECONNECT_REQUIRED");
      const { scope, connectionId: reconnectConnectionId } = connected;
      const again = await connect(t, { provider, account: "removed-app", scope, reconnectConnectionId });
      t.equal(again.connectionId, connected.connectionId, "the id after a reconnect");
    },
  })),
});
