import type { ContentItem } from "../_generated/consumerWire.ts";
import { CONTENT_FIELDS } from "../description/consumerSchema.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { GOOD_ACCOUNT, newestPost } from "./support/accounts.ts";
import { connect, connectAndSettle } from "./support/connections.ts";
import { contentPage, scanned, storedPost } from "./support/content.ts";
import { DATE_TIME } from "./support/findings.ts";
import { daysBack, refresh, scan, serviceNow } from "./support/jobs.ts";

export const CONTENT_ITEM_CASES = defineCasesWith({ needs: ["provider"] })({
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
      const { items } = await scanned(t, { provider }, 40);
      const ids = new Set((await t.provider.posts(provider, GOOD_ACCOUNT[provider])).map((post) => post.id));
      for (const item of items) {
        t.equal(item.provider, provider, "provider");
        t.matches(item.observedAt, DATE_TIME, "observedAt");
        if (item.availability !== "AVAILABLE") continue;
        t.equal(item.reason, null, "an available post has no reason");
        t.matches(item.canonicalUrl, /^https:\/\//, "canonicalUrl");
        t.holds(ids.has(item.providerContentId), "it is a post of the account", item.providerContentId);
      }
      for (const name of CONTENT_FIELDS) {
        const isAbsent = PROVIDER_FACTS[provider].absentFields.includes(name);
        const given = items.filter((item) => item[name as keyof ContentItem]);
        t.holds(isAbsent === (given.length === 0), isAbsent ? `${name} is null` : `some posts have ${name}`, given[0]);
      }
    },
  })),
  "S4.content.capability": {
    title: "content needs CONTENT_LIST; contentItem needs CONTENT_LIST or CONTENT_LOOKUP.",
    reaches: ["rule:content.capability", "rule:contentItem.capability"],
    run: async (t) => {
      const window = { ...daysBack(await serviceNow(t), 5), first: 1 };
      const profile = await connect(t, { capabilities: ["PROFILE", "CONTENT_METRICS"] });
      await t.refuses("content", { ...profile, window }, "CAPABILITY_UNAVAILABLE");
      await t.refuses("contentItem", { ...profile, providerContentId: "1" }, "CAPABILITY_UNAVAILABLE");
      const lookup = await connect(t, { capabilities: ["CONTENT_LOOKUP"] });
      await t.refuses("content", { ...lookup, window }, "CAPABILITY_UNAVAILABLE");
      t.equal(await storedPost(t, lookup, "1"), null, "contentItem with CONTENT_LOOKUP");
      const list = await connect(t, { capabilities: ["CONTENT_LIST"] });
      await t.get("content", { ...list, window });
      t.equal(await storedPost(t, list, "1"), null, "contentItem with CONTENT_LIST");
    },
  },
  "S4.contentItem.same": {
    title: "contentItem returns a stored post like content, and null for a post that was never observed.",
    reaches: ["rule:contentItem.never-observed"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const page = await contentPage(t, connected, daysBack(await serviceNow(t), 6), 1);
      const [item] = page.items;
      t.holds(item !== undefined, "there is a post");
      const providerContentId = item?.providerContentId ?? "";
      t.equal(await storedPost(t, connected, providerContentId), item, "the same post");
      t.equal(await storedPost(t, connected, `${providerContentId}0`), null, "another id");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentItem.odd-texts-${provider}`,
    title: `Posts with markup, control characters and lone surrogates from ${provider} are served as valid strings.`,
    reaches: ["operation:content"],
    run: async (t) => {
      for (const account of ["hostile-text", "unicode"]) {
        const newest = await newestPost(t, provider, account);
        const { items } = await scanned(t, { provider, account }, 20, -1, newest);
        t.holds(items.length > 0, `posts of ${account}`);
        for (const text of items.flatMap((item) => [item.title, item.description])) {
          const isValid = text === null || (Buffer.from(text).toString() === text && !text.includes("\0"));
          t.holds(isValid, "no NUL and no unpaired surrogate", text);
        }
      }
    },
  })),
  "S4.content.deleted-post": {
    title: "A post that was deleted at the provider stays readable as UNAVAILABLE with DELETED_AT_PROVIDER.",
    holds: ["account:B:desert-runner"],
    reaches: ["reason:DELETED_AT_PROVIDER", "enum:Availability.UNAVAILABLE", "errorCode:CONTENT_NOT_FOUND"],
    run: async (t) => {
      const provider = t.provider;
      const post = await provider.publish("PROVIDER_B", "desert-runner");
      const connected = await connectAndSettle(t, { provider: "PROVIDER_B", account: "desert-runner" });
      const read = () => storedPost(t, connected, post.id);
      t.equal((await read())?.availability, "AVAILABLE", "at first");
      await provider.setVisibility("PROVIDER_B", "desert-runner", post.id, "deleted");
      const job = await refresh(t, connected, post.id);
      t.shows(job, { status: "FAILED", errorCode: "CONTENT_NOT_FOUND" }, "the metrics refresh");
      t.shows(await read(), { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" }, "the post");
    },
  },
  "S4.content.private-post": {
    title: "A post that became private at PROVIDER_A stays readable as UNAVAILABLE with PRIVATE_AT_PROVIDER.",
    holds: ["account:A:kitchen-atlas"],
    reaches: ["reason:PRIVATE_AT_PROVIDER", "enum:Availability.UNAVAILABLE"],
    run: async (t) => {
      const provider = t.provider;
      const post = await provider.publish("PROVIDER_A", "kitchen-atlas");
      const connected = await connectAndSettle(t, { provider: "PROVIDER_A", account: "kitchen-atlas" });
      const read = () => storedPost(t, connected, post.id);
      t.equal((await read())?.availability, "AVAILABLE", "at first");
      await provider.setVisibility("PROVIDER_A", "kitchen-atlas", post.id, "private");
      await scan(t, connected, daysBack(await serviceNow(t), 3));
      t.shows(await read(), { availability: "UNAVAILABLE", reason: "PRIVATE_AT_PROVIDER" }, "the post");
    },
  },
  "S7.fallback": {
    title:
      "An error without a code of the contract becomes UPSTREAM_UNAVAILABLE with HTTP 200, and does not reveal its cause.",
    lane: "alone",
    needs: ["provider", "storage"],
    reaches: ["envelope:fallback"],
    run: async (t) => {
      const connected = await connectAndSettle(t);
      const window = { ...daysBack(await serviceNow(t), 6), first: 1 };
      await t.get("content", { ...connected, window });
      const outcome = await t.driver("storage").withBrokenContent(() => t.call("content", { ...connected, window }));
      const failure = t.fails(outcome, "UPSTREAM_UNAVAILABLE");
      t.equal(failure.answer.status, 200, "HTTP status");
      const { text } = failure.answer;
      t.holds(!/\brelation\b|content_item|select|prisma|\.ts/i.test(text), "no details of the cause", text);
      await t.get("content", { ...connected, window });
    },
  },
});
