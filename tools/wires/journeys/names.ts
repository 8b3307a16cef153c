import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { IGMedia, IGUser, InstagramInsightsResult } from "facebook-nodejs-business-sdk";
import { METRICS } from "../../../apps/simulator/src/providers/provider-c/insights.ts";
import { MEDIA_FIELDS, USER_FIELDS } from "../../../apps/simulator/src/providers/provider-c/shapes.ts";
import { CAPABILITIES } from "../../../packages/contract/src/index.ts";
import { makeDevPlace } from "../../../packages/testkit/src/harness/devPlace.ts";
import { control } from "../../../packages/testkit/src/simulatorControl.ts";
import { applicationOf, linkAndRead } from "../../linkAccount.ts";

/** Compares the names that the service requests of PROVIDER_C and the simulator knows with those of Meta's own SDK. */

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

const place = await makeDevPlace();
type Entry = { readonly endpoint: string; readonly query: { readonly fields?: string; readonly metric?: string } };
type Log = { readonly entries: readonly Entry[] };

let asked: Awaited<ReturnType<typeof namesOfService>>;
before(async () => {
  asked = await namesOfService();
});
after(() => place[Symbol.asyncDispose]());

/** What the service sends when it reads an account, its posts, and one post alone, as the simulator's log shows it. */
async function namesOfService() {
  const { dev } = await place.start();
  const { user, connectionId, posts } = await linkAndRead(applicationOf(dev.consumer), {
    provider: "PROVIDER_C",
    capabilities: CAPABILITIES,
  });
  await user.lookup(connectionId, String(posts[0]?.canonicalUrl)).wait();
  const { entries } = await control<Log>(dev.simulatorUrl, "GET", "/log?provider=provider-c");
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

test("every field and metric that the service requests is one of the SDK's, or specific to Instagram Login", () => {
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

test("neither service nor simulator uses a name that was replaced; the SDK still has each", () => {
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
