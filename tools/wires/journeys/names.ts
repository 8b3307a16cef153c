import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { IGMedia, IGUser, InstagramInsightsResult } from "facebook-nodejs-business-sdk";
import type { ProviderSession } from "../../../apps/server/src/providers/contract.ts";
import { providerAddresses } from "../../../apps/server/src/providers/registration.ts";
import { providerAdapter } from "../../../apps/server/src/providers/registry/registry.ts";
import { METRICS } from "../../../apps/simulator/src/providers/provider-c/insights.ts";
import { MEDIA_FIELDS, USER_FIELDS } from "../../../apps/simulator/src/providers/provider-c/shapes.ts";
import { startTestSimulator, type TestSimulator } from "../../../apps/simulator/src/testing/testSimulator.ts";
import { CAPABILITIES } from "../../../packages/contract/src/index.ts";

/** Compares the names that PROVIDER_C's adapter requests and the simulator knows with those of Meta's own SDK. */

const SDK: Readonly<Record<"user" | "media" | "metric", ReadonlySet<string>>> = {
  user: new Set(Object.values(IGUser.Fields)),
  media: new Set(Object.values(IGMedia.Fields)),
  metric: new Set(Object.values(InstagramInsightsResult.Metric)),
};

/** Fields that the Instagram API with Instagram Login documents and the SDK, made for the sibling API, lacks. */
const INSTAGRAM_LOGIN_ALONE = { user: ["user_id", "account_type"], media: ["children"] };

/** Names that the provider removed or deprecated, and their replacements; `provider-adapters.md` has the dates. */
const REPLACED: Readonly<Record<string, string>> = {
  plays: "views",
  clips_replays_count: "views",
  ig_reels_aggregated_all_plays_count: "views",
  impressions: "views",
  video_views: "views",
};
const PAGE = new URL("../../../docs/explanation/provider-adapters.md", import.meta.url);
const DAY_MS = 86_400_000;

let simulator: TestSimulator;
let asked: { readonly user: string[]; readonly media: string[]; readonly metric: string[] };
before(async () => {
  simulator = await startTestSimulator();
  asked = await namesOfAdapter();
});
after(() => simulator.close());

/** What the adapter sends when it reads everything it can, as the simulator's log shows it. */
async function namesOfAdapter() {
  const adapter = providerAdapter("PROVIDER_C");
  const { accessToken } = await simulator.connect("provider-c", "tidepool-studio");
  const { addresses, ...rest } = simulator.registration("provider-c");
  const now = simulator.clock.now();
  const session: ProviderSession = {
    registration: { ...rest, addresses: providerAddresses.parse(addresses), fetch, now },
    accessToken,
    providerAccountId: null,
    capabilities: CAPABILITIES,
  };
  await adapter.readAccount(session);
  const window = { publishedAfter: new Date(now.getTime() - 30 * DAY_MS), publishedBefore: now };
  const page = await adapter.listContent(session, { ...window, cursor: null, maxItems: 20, withMetrics: true });
  const ids = page.items.slice(0, 2).map((item) => item.providerContentId);
  await adapter.readContent(session, { providerContentIds: ids, withMetrics: true });
  const log = await simulator.control("GET", "/log?provider=provider-c");
  const entries = log.at("entries") as { endpoint: string; query: { fields?: string; metric?: string } }[];
  const namesAt = (parameter: "fields" | "metric", ...endpoints: string[]) => [
    ...new Set(
      entries
        .filter((entry) => endpoints.includes(entry.endpoint))
        .flatMap((entry) => entry.query[parameter]?.split(",") ?? []),
    ),
  ];
  return {
    user: namesAt("fields", "me"),
    media: namesAt("fields", "media", "media-item"),
    metric: namesAt("metric", "insights"),
  };
}

function assertKnown(names: Iterable<string>, known: ReadonlySet<string>, besides: readonly string[] = []): void {
  const unknown = [...names].filter((name) => !known.has(name) && !besides.includes(name));
  assert.deepEqual(unknown, [], "names that Meta's SDK does not have");
}

test("every field and metric that the adapter requests is one of the SDK's, or specific to Instagram Login", () => {
  assert.ok(asked.user.includes("username") && asked.media.includes("permalink") && asked.metric.includes("views"));
  assertKnown(asked.user, SDK.user, INSTAGRAM_LOGIN_ALONE.user);
  assertKnown(asked.media, SDK.media, INSTAGRAM_LOGIN_ALONE.media);
  assertKnown(asked.metric, SDK.metric);
});

test("every field and metric that the simulator knows is one of the SDK's, or specific to Instagram Login", () => {
  assertKnown(USER_FIELDS, SDK.user, INSTAGRAM_LOGIN_ALONE.user);
  assertKnown(MEDIA_FIELDS, SDK.media, INSTAGRAM_LOGIN_ALONE.media);
  assertKnown(METRICS, SDK.metric);
});

test("neither adapter nor simulator uses a name that was replaced; the SDK still has each", () => {
  const used = [...asked.metric, ...asked.media, ...METRICS, ...MEDIA_FIELDS];
  for (const [name, replacement] of Object.entries(REPLACED)) {
    assert.ok(SDK.metric.has(name), `${name} has left the SDK: take it off this list and the page`);
    assert.ok(!used.includes(name), `${name} was replaced by ${replacement}`);
    assert.ok(asked.metric.includes(replacement), `${replacement} is not asked for`);
  }
});

test("the page on PROVIDER_C's wire names each with what replaced it", async () => {
  const page = await readFile(PAGE, "utf8");
  const rows = [...page.matchAll(/^\| `(\w+)` \| `(\w+)` \|/gm)].map(([, name, replacement]) => [name, replacement]);
  assert.deepEqual(Object.fromEntries(rows), REPLACED);
});
