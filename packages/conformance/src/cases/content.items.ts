import type { ContentItem } from "../_generated/consumerWire.ts";
import { GOOD_ACCOUNT } from "../context/accounts.ts";
import { ALL_CAPABILITIES } from "../context/connections.ts";
import { DATE_TIME } from "../context/findings.ts";
import { daysBack } from "../context/jobs.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { caseForEach, defineCasesWith } from "../harness/defineCase.ts";
import { CONTENT_FIELDS } from "../wire/apis.ts";

export const CONTENT_ITEM_CASES = defineCasesWith({ needs: ["provider"] })({
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentItem.fields-${provider}`,
    title: `Posts of ${provider} have its fields, and null for missing values.`,
    run: async (t) => {
      const { items } = await t.scanned({ provider }, 40);
      const ids = new Set((await t.provider.posts(provider, GOOD_ACCOUNT[provider])).map((post) => post.id));
      for (const item of items) {
        t.equal(item.provider, provider, "provider");
        t.matches(item.observedAt, DATE_TIME, "observedAt");
        if (item.availability !== "AVAILABLE") continue;
        t.equal(item.reason, null, "an available post has no reason");
        t.matches(item.canonicalUrl, /^https:\/\//, "canonicalUrl");
        t.holds(ids.has(item.providerContentId), "it is a post of the account", item.providerContentId);
      }
      const kinds = new Set(items.map(({ kind }) => kind));
      for (const kind of PROVIDER_FACTS[provider].kinds) t.holds(kinds.has(kind), `there is a post of kind ${kind}`);
      for (const name of CONTENT_FIELDS) {
        const isAbsent = PROVIDER_FACTS[provider].absentFields.includes(name);
        const given = items.filter((item) => item[name as keyof ContentItem]);
        t.holds(isAbsent === (given.length === 0), isAbsent ? `${name} is null` : `some posts have ${name}`, given[0]);
      }
    },
  })),
  ...caseForEach(["content", "requestRefresh", "requestContentLookup"], (name) => ({
    id: `S4.${name}.capability`,
    title: `Each form of ${name} needs its capability: a grant of another one is CAPABILITY_UNAVAILABLE.`,
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const [post] = (await t.allContent(connected, daysBack(await t.now(), 6))).items;
      for (const capability of ALL_CAPABILITIES) {
        const { scope, connectionId } = await t.connectAndSettle({ capabilities: [capability] });
        const granted = { scope, connectionId };
        await t.operationsFollow(granted, [capability], post?.providerContentId, post?.canonicalUrl, name);
        if (name === "requestRefresh" && capability !== "CONTENT_LIST")
          await t.refuses(name, granted, "CAPABILITY_UNAVAILABLE", "the default window");
      }
    },
  })),
  "S4.contentItem.same": {
    title: "contentItem returns a stored post like content, and null for a post that was never observed.",
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const page = await t.contentPage(connected, daysBack(await t.now(), 6), 1);
      const [item] = page.items;
      t.holds(item !== undefined, "there is a post");
      const providerContentId = item?.providerContentId ?? "";
      t.equal(await t.storedPost(connected, providerContentId), item, "the same post");
      t.equal(await t.storedPost(connected, `${providerContentId}0`), null, "another id");
    },
  },
  ...caseForEach(PROVIDERS, (provider) => ({
    id: `S2.ContentItem.odd-texts-${provider}`,
    title: `Posts with markup, control characters and lone surrogates from ${provider} are served as valid strings.`,
    run: async (t) => {
      for (const account of ["hostile-text", "unicode"]) {
        const { items } = await t.scannedNewest(provider, account, 20);
        t.holds(items.length > 0, `posts of ${account}`);
        for (const text of items.flatMap((item) => [item.title, item.description])) {
          const isValid = text === null || (Buffer.from(text).toString() === text && !text.includes("\0"));
          t.holds(isValid, "no NUL and no unpaired surrogate", text);
        }
      }
    },
  })),
  "S7.fallback": {
    title:
      "An error without a code of the contract becomes UPSTREAM_UNAVAILABLE with HTTP 200, and does not reveal its cause.",
    lane: "alone",
    needs: ["provider", "storage"],
    run: async (t) => {
      const connected = await t.connectAndSettle();
      const window = { ...daysBack(await t.now(), 6), first: 1 };
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
