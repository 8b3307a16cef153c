import type { ContentItem } from "../_generated/consumerWire.ts";
import { CONTENT_FIELDS } from "../description/consumerSchemaTables.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import {
  allContent,
  connect,
  connectAndSettle,
  daysBack,
  GOOD_ACCOUNT,
  jobEnd,
  newestPost,
  scan,
  serviceNow,
} from "./support/journeys.ts";

export const CONTENT_ITEM_CASES = defineCasesWith({ needs: ["provider"] }, [
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentItem.fields-${provider}`,
    title: `Posts of ${provider} have its fields, and null for missing values.`,
    reaches: [
      "operation:content",
      ...PROVIDER_FACTS[provider].absentFields.map((name) => `field:ContentItem.${name}`),
      ...PROVIDER_FACTS[provider].kinds.map((kind) => `enum:ContentKind.${kind}`),
      "enum:Availability.AVAILABLE",
    ],
    run: async (t) => {
      const connected = await connectAndSettle(t, { provider });
      const window = daysBack(await serviceNow(t), 40);
      await scan(t, connected, window);
      const { items } = await allContent(t, connected, window);
      const urls = new Map(
        (await t.provider.posts(provider, GOOD_ACCOUNT[provider])).map((post) => [post.id, post.url]),
      );
      for (const item of items) {
        t.equal(item.provider, provider, "provider");
        t.matches(item.observedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/, "observedAt");
        if (item.availability !== "AVAILABLE") continue;
        t.equal(item.reason, null, "an available post has no reason");
        t.matches(item.canonicalUrl, /^https:\/\//, "canonicalUrl");
        t.holds(urls.has(item.providerContentId), "it is a post of the account", item.providerContentId);
      }
      for (const name of CONTENT_FIELDS) {
        const isAbsent = PROVIDER_FACTS[provider].absentFields.includes(name);
        const given = items.filter((item) => item[name as keyof ContentItem]);
        t.holds(isAbsent === (given.length === 0), isAbsent ? `${name} is null` : `some posts have ${name}`, given[0]);
      }
    },
  })),
  {
    id: "S4.content.capability",
    title: "content needs CONTENT_LIST; contentItem needs CONTENT_LIST or CONTENT_LOOKUP.",
    reaches: ["rule:content.capability", "rule:contentItem.capability", "code:CAPABILITY_UNAVAILABLE"],
    run: async (t) => {
      const window = { ...daysBack(await serviceNow(t), 5), first: 1 };
      const profile = await connect(t, { capabilities: ["PROFILE", "CONTENT_METRICS"] });
      await t.refuses("content", { ...profile, window }, "CAPABILITY_UNAVAILABLE");
      await t.refuses("contentItem", { ...profile, providerContentId: "1" }, "CAPABILITY_UNAVAILABLE");
      const lookup = await connect(t, { capabilities: ["CONTENT_LOOKUP"] });
      await t.refuses("content", { ...lookup, window }, "CAPABILITY_UNAVAILABLE");
      t.equal(
        await t.get("contentItem", { ...lookup, providerContentId: "1" }),
        null,
        "contentItem with CONTENT_LOOKUP",
      );
      const list = await connect(t, { capabilities: ["CONTENT_LIST"] });
      await t.get("content", { ...list, window });
      t.equal(await t.get("contentItem", { ...list, providerContentId: "1" }), null, "contentItem with CONTENT_LIST");
    },
  },
  {
    id: "S4.contentItem.same",
    title: "contentItem returns a stored post like content, and null for a post that was never observed.",
    reaches: ["operation:contentItem", "rule:contentItem.never-observed"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const page = await t.get("content", { ...connected, window: { ...daysBack(await serviceNow(t), 6), first: 1 } });
      const [item] = page.items;
      t.holds(item !== undefined, "there is a post");
      const providerContentId = item?.providerContentId ?? "";
      t.equal(await t.get("contentItem", { ...connected, providerContentId }), item, "the same post");
      t.equal(
        await t.get("contentItem", { ...connected, providerContentId: `${providerContentId}0` }),
        null,
        "another id",
      );
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentItem.odd-texts-${provider}`,
    title: `Posts with markup, control characters and lone surrogates from ${provider} are served as valid strings.`,
    reaches: ["operation:content"],
    run: async (t) => {
      for (const account of ["hostile-text", "unicode"]) {
        const connected = await connectAndSettle(t, { provider, account });
        const window = daysBack(await newestPost(t, provider, account), 20);
        await scan(t, connected, window);
        const { items } = await allContent(t, connected, window);
        t.holds(items.length > 0, `posts of ${account}`);
        for (const item of items) {
          for (const text of [item.title, item.description]) {
            t.holds(
              text === null || (Buffer.from(text).toString() === text && !text.includes("\0")),
              "no NUL and no unpaired surrogate",
              text,
            );
          }
        }
      }
    },
  })),
  {
    id: "S4.content.deleted-post",
    title: "A post that was deleted at the provider stays readable as UNAVAILABLE with DELETED_AT_PROVIDER.",
    holds: ["account:B:desert-runner"],
    reaches: ["reason:DELETED_AT_PROVIDER", "enum:Availability.UNAVAILABLE", "errorCode:CONTENT_NOT_FOUND"],
    run: async (t) => {
      const provider = t.provider;
      const post = await provider.publish("PROVIDER_B", "desert-runner");
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B", account: "desert-runner" });
      const read = () => t.get("contentItem", { ...connected, providerContentId: post.id });
      t.equal((await read())?.availability, "AVAILABLE", "at first");
      await provider.setVisibility("PROVIDER_B", "desert-runner", post.id, "deleted");
      const { id } = await t.get("requestRefresh", { ...connected, providerContentId: post.id });
      const job = await jobEnd(t, connected, id);
      t.equal([job.status, job.errorCode], ["FAILED", "CONTENT_NOT_FOUND"], "the metrics refresh");
      const item = await read();
      t.equal([item?.availability, item?.reason], ["UNAVAILABLE", "DELETED_AT_PROVIDER"], "the post");
    },
  },
  {
    id: "S4.content.private-post",
    title: "A post that became private at PROVIDER_A stays readable as UNAVAILABLE with PRIVATE_AT_PROVIDER.",
    holds: ["account:A:kitchen-atlas"],
    reaches: ["reason:PRIVATE_AT_PROVIDER", "enum:Availability.UNAVAILABLE"],
    run: async (t) => {
      const provider = t.provider;
      const post = await provider.publish("PROVIDER_A", "kitchen-atlas");
      const connected = await connectAndSettle(t, { provider: "PROVIDER_A", account: "kitchen-atlas" });
      const read = () => t.get("contentItem", { ...connected, providerContentId: post.id });
      t.equal((await read())?.availability, "AVAILABLE", "at first");
      await provider.setVisibility("PROVIDER_A", "kitchen-atlas", post.id, "private");
      await scan(t, connected, daysBack(await serviceNow(t), 3));
      const item = await read();
      t.equal([item?.availability, item?.reason], ["UNAVAILABLE", "PRIVATE_AT_PROVIDER"], "the post");
    },
  },
  {
    id: "S7.fallback",
    title:
      "An error without a code of the contract becomes UPSTREAM_UNAVAILABLE with HTTP 200, and does not reveal its cause.",
    lane: "alone",
    needs: ["provider", "storage"],
    reaches: ["code:UPSTREAM_UNAVAILABLE", "envelope:fallback"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = { ...daysBack(await serviceNow(t), 6), first: 1 };
      await t.get("content", { ...connected, window });
      const outcome = await t.driver("storage").withBrokenContent(() => t.call("content", { ...connected, window }));
      const failure = t.fails(outcome, "UPSTREAM_UNAVAILABLE");
      t.equal(failure.answer.status, 200, "HTTP status");
      t.holds(
        !/\brelation\b|content_item|select|prisma|\.ts/i.test(failure.answer.text),
        "no details of the cause",
        failure.answer.text,
      );
      await t.get("content", { ...connected, window });
    },
  },
]);
