import { PROVIDERS } from "../description/providers.ts";
import type { CaseContext } from "../harness/context.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import type { Capability, Provider } from "../target/target.ts";
import { GOOD_ACCOUNT, newestPost, publicPosts, whileFault } from "./support/accounts.ts";
import { ALL_CAPABILITIES, createSession, refusesSession } from "./support/attempts.ts";
import { type Connected, connectAndSettle, listedConnection, readConnection } from "./support/connections.ts";
import { contentPage } from "./support/content.ts";
import { daysBack, jobEnd, requestLookup, scan, serviceNow, untilRetry } from "./support/jobs.ts";

interface ConnectedAt extends Connected {
  readonly provider: Provider;
}

/** The expected state of each granted capability while the registration serves these. */
function statesWhileServed(served: readonly Capability[]) {
  return ALL_CAPABILITIES.map((capability) =>
    served.includes(capability)
      ? { capability, availability: "AVAILABLE", reason: null }
      : { capability, availability: "UNAVAILABLE", reason: "CAPABILITY_UNAVAILABLE" },
  );
}

/** The content operations by the capabilities of which they need one. */
async function operationsFollow(t: CaseContext, connected: ConnectedAt, served: readonly Capability[]): Promise<void> {
  const [post] = await publicPosts(t, connected.provider);
  const window = daysBack(await serviceNow(t), 6);
  const providerContentId = post?.id ?? "";
  const calls = [
    [["CONTENT_LIST"], "content", { ...target(connected), window: { ...window, first: 1 } }],
    [["CONTENT_LIST", "CONTENT_LOOKUP"], "contentItem", { ...target(connected), providerContentId }],
    [["CONTENT_LIST"], "requestRefresh", { ...target(connected), window }],
    [["CONTENT_METRICS"], "requestRefresh", { ...target(connected), providerContentId }],
    [["CONTENT_LOOKUP"], "requestContentLookup", { ...target(connected), url: post?.url ?? "" }],
  ] as const;
  for (const [needed, name, args] of calls) {
    const outcome = await t.callWith(t.api, name, args);
    const what = `${name} (needs ${needed.join(" or ")}) while ${served.join(", ")} is served`;
    if (needed.some((one) => served.includes(one))) t.value(outcome, what);
    else t.fails(outcome, "CAPABILITY_UNAVAILABLE", what);
  }
}

const target = ({ scope, connectionId }: Connected) => ({ scope, connectionId });

async function connectedWithPosts(t: CaseContext, provider: Provider): Promise<ConnectedAt> {
  const connected = await connectAndSettle(t, { provider });
  await scan(t, connected, daysBack(await newestPost(t, provider, GOOD_ACCOUNT[provider]), 6));
  return { ...connected, provider };
}

export const CONNECTION_CAPABILITY_CASES = defineCasesWith({ lane: "alone", needs: ["provider", "operator"] })({
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.CapabilityState.not-served-${provider}`,
    title: `A capability that the registration of ${provider} no longer serves is UNAVAILABLE on existing connections, and so are its operations.`,
    reaches: [
      "field:Connection.capabilities",
      "field:CapabilityState.not-served",
      "reason:CAPABILITY_UNAVAILABLE",
      "code:CAPABILITY_UNAVAILABLE",
    ],
    run: async (t) => {
      const connected = await connectedWithPosts(t, provider);
      const before = await readConnection(t, connected);
      t.equal(before.capabilities, statesWhileServed(ALL_CAPABILITIES), "while all are served");
      for (const served of [["PROFILE"], ["CONTENT_LIST"], ["CONTENT_LOOKUP", "CONTENT_METRICS"]] as const) {
        await t.driver("operator").withCapabilitiesOf(provider, served, async () => {
          const row = await readConnection(t, connected);
          t.equal(row.status, "CONNECTED", "status");
          t.equal(row.capabilities, statesWhileServed(served), `while ${served.join(", ")} is served`);
          t.equal(row.profile !== null, (served as readonly Capability[]).includes("PROFILE"), "profile");
          t.equal((await listedConnection(t, connected))?.capabilities, row.capabilities, "as listed");
          await operationsFollow(t, connected, served);
        });
      }
      const after = await readConnection(t, connected);
      t.equal([after.capabilities, after.profile !== null], [before.capabilities, true], "once it serves all again");
    },
  })),
  "S2.ContentItem.metrics-not-served": {
    title: "While the registration does not serve CONTENT_METRICS, posts have no metrics, including stored ones.",
    reaches: ["field:ContentItem.metrics", "field:CapabilityState.not-served"],
    run: async (t) => {
      const connected = await connectedWithPosts(t, "PROVIDER_B");
      const window = daysBack(await newestPost(t, "PROVIDER_B", GOOD_ACCOUNT.PROVIDER_B), 6);
      const metrics = async () => {
        const page = await contentPage(t, connected, window);
        t.holds(page.items.length > 0, "there are posts");
        return [...new Set(page.items.map((item) => item.metrics.length))];
      };
      t.equal(await metrics(), [4], "metrics before");
      await t.driver("operator").withCapabilitiesOf("PROVIDER_B", ["CONTENT_LIST"], async () => {
        t.equal(await metrics(), [0], "stored metrics are not shown");
        await scan(t, connected, window);
        t.equal(await metrics(), [0], "and none are read");
      });
    },
  },
  "S3.job.capability-not-served": {
    title: "A queued read fails with CAPABILITY_UNAVAILABLE when the registration stops serving its capability.",
    reaches: ["errorCode:CAPABILITY_UNAVAILABLE", "field:CapabilityState.not-served"],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B" });
      const limited = { kind: "rate-limited", retryAfterSeconds: 5 } as const;
      const id = await whileFault(t, "PROVIDER_B", "list", limited, {}, async () => {
        const asked = await requestLookup(t, connected, "PROVIDER_B", GOOD_ACCOUNT.PROVIDER_B);
        await untilRetry(t, connected, asked);
        return asked;
      });
      await t.driver("operator").withCapabilitiesOf("PROVIDER_B", ["PROFILE", "CONTENT_LIST"], async () => {
        const job = await jobEnd(t, connected, id);
        t.shows(job, { status: "FAILED", errorCode: "CAPABILITY_UNAVAILABLE" }, "the job");
      });
    },
  },
  "S4.createConnectSession.capability-not-served": {
    title: "An attempt that requests a capability which the registration does not serve is FORBIDDEN.",
    needs: ["operator"],
    reaches: ["code:FORBIDDEN", "field:CapabilityState.not-served"],
    run: async (t) => {
      await t.driver("operator").withCapabilitiesOf("PROVIDER_B", ["CONTENT_LIST"], async () => {
        await createSession(t, { provider: "PROVIDER_B", capabilities: ["CONTENT_LIST"] });
        for (const capabilities of [["PROFILE"], ["CONTENT_LIST", "PROFILE"]] as const) {
          const what = capabilities.join(", ");
          await refusesSession(t, { provider: "PROVIDER_B", capabilities }, "FORBIDDEN", what);
        }
      });
    },
  },
});
