import { accountHolds, ENDED_ACCOUNT } from "../context/accounts.ts";
import { daysBack, HOUR_MS } from "../context/jobs.ts";
import type { Connected, Steps } from "../context/steps.ts";
import { PROVIDER_FACTS, PROVIDERS } from "../description/providers.ts";
import { defineCases, pairsOf } from "../harness/defineCase.ts";

/** Changes that make a valid URL invalid, by the rule that each breaks. */
const BROKEN: Readonly<Record<string, (url: string) => string>> = {
  https: (url) => url.replace("https:", "http:"),
  credentials: (url) => url.replace("://", "://user:pass@"),
  port: (url) => url.replace(/(:\/\/[^/]+)/, "$1:443"),
  fragment: (url) => `${url}#top`,
};

const UNKNOWN_URLS = [
  "",
  " ",
  "not a url",
  "https://www.instagram.com/p/C0nf\0rmance1/",
  "https://www.instagram.com/p/C0nf\ud800rmance1/",
  "https://",
  "https://127.0.0.1/p/C0nf0rmance1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[::1]/p/C0nf0rmance1/",
  "https://evil.example/www.instagram.com/p/C0nf0rmance1/",
  "https://www.instagram.com.evil.example/p/C0nf0rmance1/",
  "https://www.youtube.com.evil.example/watch?v=AAAAAAAAAAA",
  "https://www.tiktok.com@evil.example/@a/video/1",
  "file:///etc/passwd",
  "javascript:alert(1)",
];

export const LOOKUP_CASES = defineCases({ needs: ["provider"] }, (test) => {
  for (const provider of PROVIDERS)
    test(`S4.requestContentLookup.finds-${provider}: A lookup at ${provider} finds the account's own post of any age and stores it; the same URL in flight is one job.`, async (t) => {
      const connected = await t.connectAndSettle({ provider });
      const { id, url } = (await t.publicPosts(provider)).at(-1) ?? { id: "", url: "" };
      t.equal(await t.storedPost(connected, id), null, "not observed yet");
      const found = { status: "SUCCEEDED", resultProviderContentId: id };
      const job = await t.lookUp(connected, url);
      t.shows(job, { ...found, incompleteReason: null, completeForWindow: null }, "the job");
      t.equal((await t.storedPost(connected, id))?.availability, "AVAILABLE", "the post");
    });
  for (const [provider, [rule, change]] of pairsOf(PROVIDERS, Object.entries(BROKEN)))
    test(`S4.requestContentLookup.url-${rule}-${provider}: A URL of ${provider} that breaks the rule "${rule}" is refused.`, async (t) => {
      const connected = await t.connect({ provider, capabilities: ["CONTENT_LOOKUP"] });
      const { postUrls } = PROVIDER_FACTS[provider];
      for (const url of postUrls) await refused(t, connected, change(url));
      await t.get("requestContentLookup", { ...connected, url: postUrls[0] });
    });
  for (const provider of PROVIDERS)
    test(`S4.requestContentLookup.url-forms-${provider}: Each form of a post's URL at ${provider} is accepted, and a URL that names no post of it is refused.`, async (t) => {
      const connected = await t.connect({ provider, capabilities: ["CONTENT_LOOKUP"] });
      const { postUrls, otherUrls } = PROVIDER_FACTS[provider];
      for (const url of postUrls) await t.get("requestContentLookup", { ...connected, url });
      const others = PROVIDERS.filter((other) => other !== provider);
      const ofOthers = others.flatMap((other) => PROVIDER_FACTS[other].postUrls);
      for (const url of [...ofOthers, ...otherUrls, ...UNKNOWN_URLS]) await refused(t, connected, url);
    });
  for (const provider of PROVIDERS)
    test(`S8.lookup-url.length-${provider}: A lookup URL of 2,048 characters is accepted at ${provider} and one of 2,049 is refused.`, async (t) => {
      const connected = await t.connect({ provider, capabilities: ["CONTENT_LOOKUP"] });
      const [good] = PROVIDER_FACTS[provider].postUrls;
      const padded = (length: number) => `${good}${good.includes("?") ? "&" : "?"}x=`.padEnd(length, "y");
      await t.get("requestContentLookup", { ...connected, url: padded(2_048) });
      await refused(t, connected, padded(2_049));
    });
  test("S4.requestContentLookup.not-owned: A post of another account fails the lookup with CONTENT_NOT_OWNED, and an unknown post with CONTENT_NOT_FOUND.", async (t) => {
    const connected = await t.connect({ provider: "PROVIDER_A" });
    const [foreign] = await t.publicPosts("PROVIDER_A", "unicode");
    const fails = async (url: string, errorCode: string, what: string) => {
      const expected = { status: "FAILED", errorCode, resultProviderContentId: null };
      t.shows(await t.lookUp(connected, url), expected, what);
    };
    await fails(foreign?.url ?? "", "CONTENT_NOT_OWNED", "another account's post");
    await fails("https://www.youtube.com/watch?v=AAAAAAAAAAA", "CONTENT_NOT_FOUND", "nobody's post");
  });
  test("S4.requestContentLookup.hidden-from-others: Another account's post fails the lookup with CONTENT_NOT_FOUND once its owner has hidden or deleted it.", async (t) => {
    const connected = await t.connect({ provider: "PROVIDER_A", account: "harbor-workshop" });
    const publishedAt = new Date((await t.now()).getTime() - HOUR_MS);
    const { id: postId, url } = await t.provider.publish("PROVIDER_A", "night-trains", { publishedAt });
    for (const [visibility, errorCode] of [
      ["public", "CONTENT_NOT_OWNED"],
      ["unlisted", "CONTENT_NOT_OWNED"],
      ["private", "CONTENT_NOT_FOUND"],
      ["deleted", "CONTENT_NOT_FOUND"],
    ] as const) {
      await t.provider.setVisibility("PROVIDER_A", "night-trains", postId, visibility);
      t.shows(await t.lookUp(connected, url), { status: "FAILED", errorCode }, `a ${visibility} post`);
    }
  }).with({ holds: ["account:A:night-trains"] });
  for (const [name, provider, account, visibility, read] of [
    ["content.private-post", "PROVIDER_A", "night-trains", "private", "A scan"],
    ["content.deleted-post", "PROVIDER_B", "desert-runner", "deleted", "A metrics refresh, which fails,"],
    ["requestContentLookup.unavailable", "PROVIDER_A", "night-trains", "private", "A lookup, which succeeds,"],
  ] as const)
    test(`S4.${name}: ${read} of a post that became ${visibility} at ${provider} leaves it readable as UNAVAILABLE, with the reason.`, async (t) => {
      const reason = visibility === "private" ? "PRIVATE_AT_PROVIDER" : "DELETED_AT_PROVIDER";
      const post = await t.provider.publish(provider, account);
      const connected = await t.connectAndSettle({ provider, account });
      t.equal((await t.storedPost(connected, post.id))?.availability, "AVAILABLE", "at first");
      await t.provider.setVisibility(provider, account, post.id, visibility);
      const succeeded = { status: "SUCCEEDED", resultProviderContentId: post.id, incompleteReason: reason };
      const failed = { status: "FAILED", errorCode: "CONTENT_NOT_FOUND" };
      if (read === "A scan") await t.scan(connected, daysBack(await t.now(), 3));
      else if (visibility === "deleted") t.shows(await t.refresh(connected, post.id), failed, "the job");
      else t.shows(await t.lookUp(connected, post.url), succeeded, "the job");
      t.shows(await t.storedPost(connected, post.id), { availability: "UNAVAILABLE", reason }, "the post");
    }).with({ holds: accountHolds(provider, account) });
  for (const [provider, read] of pairsOf(PROVIDERS, ["lookup", "metrics refresh"]))
    test(`S4.${read === "lookup" ? "requestContentLookup" : "requestRefresh"}.gone-${provider}: A ${read} of a stored post that is deleted at ${provider} fails with CONTENT_NOT_FOUND, and marks the post as deleted.`, async (t) => {
      const account = ENDED_ACCOUNT[provider];
      const post = await t.provider.publish(provider, account);
      const { connected, window } = await t.scanned({ provider, account }, 2);
      const stored = () => t.storedPost(connected, post.id);
      t.equal((await stored())?.availability, "AVAILABLE", "the scanned post");
      await t.provider.setVisibility(provider, account, post.id, "deleted");
      const gone = { availability: "UNAVAILABLE", reason: "DELETED_AT_PROVIDER" };
      for (const round of ["the first", "the second"]) {
        const job = await (read === "lookup" ? t.lookUp(connected, post.url) : t.refresh(connected, post.id));
        t.shows(job, { status: "FAILED", errorCode: "CONTENT_NOT_FOUND" }, `the job, ${round} time`);
        t.shows(job, { resultProviderContentId: null, incompleteReason: null }, "its result");
        const item = await stored();
        t.shows(item, gone, "the post");
        t.shows(item, { title: null, description: null, metrics: [] }, "its previous content");
      }
      const page = await t.contentPage(connected, window);
      const listed = page.items.find((item) => item.providerContentId === post.id);
      t.shows(listed, gone, "as content lists it");
    }).with({ holds: accountHolds(provider, ENDED_ACCOUNT[provider]) });
});

async function refused(t: Steps, connected: Connected, url: string): Promise<void> {
  await t.refuses("requestContentLookup", { ...connected, url }, "BAD_USER_INPUT", `"${url.slice(0, 80)}" is refused`);
}
