import type { ContentItem } from "../_generated/consumerWire.ts";
import { GOOD_ACCOUNT } from "../context/accounts.ts";
import { DATE_TIME } from "../context/findings.ts";
import { daysBack } from "../context/jobs.ts";
import { ALL_CAPABILITIES, PROVIDER_FACTS, PROVIDERS, providersWith } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";
import { CONTENT_FIELDS } from "../wire/apis.ts";

export const CONTENT_ITEM_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S2.ContentItem.fields-${provider}: Posts of ${provider} have its fields, and null for missing values.`, async (t) => {
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
    });
  for (const name of ["content", "requestRefresh", "requestContentLookup"] as const)
    test(`S4.${name}.capability: Each form of ${name} needs its capability: a grant of another one is CAPABILITY_UNAVAILABLE.`, async (t) => {
      const { providerContentId: id, canonicalUrl: url } = await t.newestStored(await t.connectAndSettle());
      for (const capability of ALL_CAPABILITIES) {
        const granted = await t.connectAndSettle({ capabilities: [capability] });
        await t.operationsFollow(granted, [capability], { id, url }, name);
        if (name === "requestRefresh" && capability !== "CONTENT_LIST")
          await t.refuses(name, granted, "CAPABILITY_UNAVAILABLE", "the default window");
      }
    });
  test("S4.contentItem.same: contentItem returns a stored post like content, and null for a post that was never observed.", async (t) => {
    const connected = await t.connectAndSettle();
    const post = await t.newestStored(connected);
    t.equal(await t.storedPost(connected, post.providerContentId), post, "the same post");
    t.equal(await t.storedPost(connected, `${post.providerContentId}0`), null, "another id");
  });
  for (const provider of PROVIDERS)
    test(`S2.ContentItem.odd-texts-${provider}: Posts with markup, control characters and lone surrogates from ${provider} are served as valid strings.`, async (t) => {
      for (const account of ["hostile-text", "unicode"]) {
        const { items } = await t.scannedNewest(provider, account, 20);
        t.holds(items.length > 0, `posts of ${account}`);
        for (const text of items.flatMap((item) => [item.title, item.description])) {
          const isValid = text === null || (Buffer.from(text).toString() === text && !text.includes("\0"));
          t.holds(isValid, "no NUL and no unpaired surrogate", text);
        }
      }
    });
  test("S7.fallback: An error without a code of the contract is UPSTREAM_UNAVAILABLE with HTTP 200, without its cause.", async (t) => {
    const connected = await t.connectAndSettle();
    const window = { ...daysBack(await t.now(), 6), first: 1 };
    await t.get("content", { ...connected, window });
    const outcome = await t.driver("storage").withBrokenContent(() => t.call("content", { ...connected, window }));
    const failure = t.fails(outcome, "UPSTREAM_UNAVAILABLE");
    t.equal(failure.answer.status, 200, "HTTP status");
    const { text } = failure.answer;
    t.holds(!/\brelation\b|content_item|select|prisma|\.ts/i.test(text), "no details of the cause", text);
    await t.get("content", { ...connected, window });
  }).with({ lane: "alone", needs: ["provider", "storage"] });
  for (const provider of PROVIDERS)
    test(`S2.Metric.values-${provider}: Every post of ${provider} has all four metrics: counts as strings with their source, or null with the reason.`, async (t) => {
      const items = await t.firstPosts({ provider });
      for (const item of items.filter((one) => one.availability === "AVAILABLE")) {
        const names = item.metrics.map((metric) => metric.name).toSorted();
        t.equal(names, ["COMMENTS", "LIKES", "SHARES", "VIEWS"], "names");
        for (const metric of item.metrics) {
          t.matches(metric.observedAt, /Z$/, "observedAt");
          if (metric.availability === "AVAILABLE") {
            t.matches(metric.value, /^(0|[1-9]\d*)$/, `${metric.name} is an integer as a string`);
            t.matches(metric.sourceField, /./, `${metric.name} names its source`);
            t.equal(metric.reason, null, `${metric.name} has no reason`);
          } else {
            t.equal(metric.value, null, `${metric.name} is missing: null, never 0`);
            t.matches(metric.reason, /./, `${metric.name} has a reason why it is missing`);
            t.oneOf(metric.availability, ["UNSUPPORTED", "UNAVAILABLE", "NOT_GRANTED"], "availability");
          }
        }
        for (const name of PROVIDER_FACTS[provider].unsupportedMetrics) {
          const missing = item.metrics.find((metric) => metric.name === name);
          const unsupported = { availability: "UNSUPPORTED", value: null, reason: "METRIC_NOT_OFFERED" };
          t.shows(missing, unsupported, `${provider} has no ${name}`);
        }
      }
      const counts = items.flatMap((item) => item.metrics).filter((metric) => metric.value !== null);
      t.holds(counts.length > 0, "there are some counts");
    });
  for (const [provider, [account, name]] of pairsOf(providersWith("ownersHideCounts"), [
    ["hidden-likes", "LIKES"],
    ["comments-off", "COMMENTS"],
  ]))
    test(`S2.Metric.${account}-${provider}: ${name} that the owner of a ${provider} account hides are UNAVAILABLE with value null.`, async (t) => {
      const items = await t.firstPosts({ provider, account }, 6, 3);
      const metrics = items.flatMap((item) => item.metrics.filter((metric) => metric.name === name));
      t.holds(metrics.length > 0, "there are posts", items.length);
      for (const metric of metrics) t.shows(metric, { availability: "UNAVAILABLE", value: null }, name);
      t.some(metrics, ({ reason }) => reason === "METRIC_HIDDEN", "reason");
    });
  for (const provider of PROVIDERS)
    test(`S2.Metric.not-given-${provider}: A metric that ${provider} supports but did not return is UNAVAILABLE with value null and a reason.`, async (t) => {
      const metrics = (await t.firstPosts({ provider, account: "missing-metrics" })).flatMap((item) => item.metrics);
      const missing = metrics.filter((metric) => metric.availability === "UNAVAILABLE");
      t.holds(missing.length > 0, "some metrics are missing", metrics);
      for (const metric of metrics)
        t.equal(metric.value === null, metric.reason !== null, `${metric.name}: a missing value has a reason`);
      const ofViews = missing.filter(({ name }) => name === "VIEWS").map(({ reason }) => reason);
      t.equal([...new Set(ofViews)], ["METRIC_NOT_GIVEN"], "views");
    });
  test("S2.Metric.account-type: What an account's type lacks at PROVIDER_C is UNSUPPORTED.", async (t) => {
    const items = await t.firstPosts({ account: "no-shares" }, 6, 3);
    const shares = items.flatMap((item) => item.metrics.filter((metric) => metric.name === "SHARES"));
    t.holds(shares.length > 0, "there are posts");
    // For a post with too few viewers the provider returns no metrics, so the supported ones are unknown.
    const known = shares.filter((metric) => metric.availability !== "UNAVAILABLE");
    t.holds(known.length > 0, "the provider returns some", shares);
    for (const metric of known)
      t.shows(metric, { availability: "UNSUPPORTED", reason: "METRIC_NOT_OFFERED" }, "SHARES");
    for (const metric of shares) t.equal(metric.value, null, "never a number");
  });
  test("S2.Metric.not-granted: Metrics for which the provider reports a missing permission are NOT_GRANTED, with value null.", async (t) => {
    const scopes = { of: "CONTENT_METRICS", as: "PROFILE" } as const;
    const connected = await t.whileRegistration("PROVIDER_C", { scopes }, () => t.connectAndSettle());
    const { items } = await t.allContent(connected, daysBack(await t.now(), 6, 3));
    const metrics = items.flatMap((item) => item.metrics);
    const refused = metrics.filter((metric) => metric.availability === "NOT_GRANTED");
    t.holds(refused.length > 0, "some are refused", metrics);
    for (const metric of refused) t.shows(metric, { value: null, reason: "NOT_GRANTED" }, metric.name);
  }).with({ lane: "alone", needs: ["provider", "operator"] });
  test("S2.Metric.without-capability: Without CONTENT_METRICS there are no metrics.", async (t) => {
    for (const item of await t.firstPosts({ capabilities: ["CONTENT_LIST"] })) t.equal(item.metrics, [], "metrics");
  });
  test("S2.DecimalCount.beyond-double: Counts beyond 2^53 keep every digit.", async (t) => {
    const { items } = await t.scannedNewest("PROVIDER_A", "hostile-text", 20);
    const views = items.flatMap(({ metrics }) => metrics.filter(({ name }) => name === "VIEWS"));
    // A count that was parsed as a double would have the double's digits.
    const isExact = (value: string | null) => value !== null && BigInt(Number(value)).toString() !== value;
    t.some(views, ({ value }) => isExact(value), "a count that exceeds a double");
  });
});
