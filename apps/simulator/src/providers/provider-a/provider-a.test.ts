import { afterAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../shared/clock.ts";
import { type Connected, OTHER_REDIRECT_URI, REDIRECT_URI, startTestSimulator } from "../../testing/testSimulator.ts";

const SCOPE = "https://www.googleapis.com/auth/youtube.readonly";
const OWN_CHANNEL = "/channels?part=id&mine=true";
const simulator = await startTestSimulator();

afterAll(() => simulator.close());

describe("code exchange", () => {
  test("returns an access token, and a refresh token at the first consent", async () => {
    const consent = await simulator.consent("provider-a", { account: "kitchen-atlas" });
    expect(consent.callback.searchParams.get("state")).toBe("the-state");
    expect(consent.callback.searchParams.get("scope")).toBe(SCOPE);
    const response = await simulator.exchange(consent);
    expect(response.status).toBe(200);
    expect(JSON.parse(response.text)).toMatchObject({
      expires_in: 3_599,
      token_type: "Bearer",
      scope: SCOPE,
      refresh_token: expect.stringMatching(/^1\/\//),
    });
  });

  test("a second use of a code revokes the tokens of the first", async () => {
    const consent = await simulator.consent("provider-a", { account: "night-trains" });
    const token = String((await simulator.exchange(consent)).at("refresh_token"));
    expect((await simulator.refresh("provider-a", token)).status).toBe(200);
    const second = await simulator.exchange(consent);
    expect([second.status, second.at("error")]).toEqual([400, "invalid_grant"]);
    expect((await simulator.refresh("provider-a", token)).at("error")).toBe("invalid_grant");
  });

  test("a code expires after ten minutes", async () => {
    const early = await simulator.consent("provider-a", { account: "night-trains" });
    const late = await simulator.consent("provider-a", { account: "night-trains" });
    simulator.clock.advance(10 * MINUTE_MS - 1_000);
    expect((await simulator.exchange(early)).status).toBe(200);
    simulator.clock.advance(1_000);
    expect((await simulator.exchange(late)).at("error")).toBe("invalid_grant");
  });

  test.each([
    ["another verifier", { code_verifier: "v".repeat(43) }, 400, "invalid_grant"],
    ["no verifier", { code_verifier: null }, 400, "invalid_grant"],
    ["another registered redirect address", { redirect_uri: OTHER_REDIRECT_URI }, 400, "redirect_uri_mismatch"],
    ["no redirect address", { redirect_uri: null }, 400, "redirect_uri_mismatch"],
    ["another secret", { client_secret: "wrong" }, 401, "invalid_client"],
    ["no secret", { client_secret: null }, 401, "invalid_client"],
    ["another application", { client_id: "other-client", client_secret: "other-secret" }, 400, "invalid_grant"],
    ["another grant type", { grant_type: "password" }, 400, "unsupported_grant_type"],
  ])("rejects an exchange with %s, after which a correct one succeeds", async (_case, fields, status, error) => {
    const consent = await simulator.consent("provider-a", { account: "night-trains" });
    const refused = await simulator.exchange(consent, fields);
    expect([refused.status, refused.at("error")]).toEqual([status, error]);
    expect((await simulator.exchange(consent)).status).toBe(200);
  });

  test("rejects a verifier without a challenge", async () => {
    const withoutChallenge = { code_challenge: null, code_challenge_method: null };
    const consent = await simulator.consent("provider-a", { account: "night-trains" }, withoutChallenge);
    expect((await simulator.exchange(consent)).at("error")).toBe("invalid_grant");
    expect((await simulator.exchange(consent, { code_verifier: null })).status).toBe(200);
  });
});

describe("refresh tokens", () => {
  test("are issued again only with prompt=consent", async () => {
    const give = async (parameters: Record<string, string>) => {
      const consent = await simulator.consent("provider-a", { account: "unicode" }, parameters);
      return (await simulator.exchange(consent)).at("refresh_token");
    };
    expect(await give({ access_type: "online" })).toBeUndefined();
    expect(await give({ access_type: "offline" })).toBeDefined();
    expect(await give({ access_type: "offline" })).toBeUndefined();
    expect(await give({ access_type: "offline", prompt: "consent" })).toBeDefined();
  });

  test("return only an access token", async () => {
    const { refreshToken } = await simulator.connect("provider-a", "thousand-posts");
    const response = await simulator.refresh("provider-a", refreshToken);
    expect(response.status).toBe(200);
    expect(response.at("access_token")).toMatch(/^ya29\./);
    expect(response.at("refresh_token")).toBeUndefined();
    expect((await simulator.refresh("provider-a", refreshToken)).status).toBe(200);
  });

  test("renew an expired access token", async () => {
    const { get, refreshToken } = await simulator.connect("provider-a", "slow");
    simulator.clock.advance(HOUR_MS);
    const expired = await get(OWN_CHANNEL);
    expect([expired.status, expired.at("error.errors.0.reason")]).toEqual([401, "authError"]);
    expect((await simulator.refresh("provider-a", refreshToken)).status).toBe(200);
  });
});

describe("revocation", () => {
  test.each(["access", "refresh"])("of an %s token ends the consent, and a second revocation fails", async (kind) => {
    await simulator.control("POST", "/reset");
    const { accessToken, refreshToken, get, revoke } = await simulator.connect("provider-a", "harbor-workshop");
    const token = kind === "access" ? accessToken : refreshToken;
    expect((await get(OWN_CHANNEL)).status).toBe(200);
    expect((await revoke(token)).status).toBe(200);
    expect((await get(OWN_CHANNEL)).status).toBe(401);
    expect((await simulator.refresh("provider-a", refreshToken)).at("error")).toBe("invalid_grant");
    const again = await revoke(token);
    expect([again.status, again.at("error")]).toEqual([400, "invalid_token"]);
  });

  test("also ends the grants of the user's other channels, but not of other users", async () => {
    const one = await simulator.connect("provider-a", "sibling-1");
    const other = await simulator.connect("provider-a", "sibling-2");
    const stranger = await simulator.connect("provider-a", "kitchen-atlas");
    expect((await one.revoke()).status).toBe(200);
    expect((await other.get(OWN_CHANNEL)).status).toBe(401);
    expect((await stranger.get(OWN_CHANNEL)).status).toBe(200);
  });
});

describe("reads", () => {
  test("a GET to the revocation endpoint returns a 404 page", async () => {
    const { accessToken } = await simulator.connect("provider-a", "harbor-workshop");
    const address = `${simulator.registration("provider-a").addresses.revocation}?token=${accessToken}`;
    const got = await simulator.call(address);
    expect([got.status, got.headers.get("content-type")]).toEqual([404, "text/html; charset=UTF-8"]);
    expect((await simulator.call(address, { method: "POST" })).status).toBe(200);
  });

  test("the channel contains its uploads playlist and only the requested parts", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const response = await get("/channels?part=snippet,contentDetails&mine=true");
    const channelId = String(response.at("items.0.id"));
    expect(channelId).toMatch(/^UC[\w-]{22}$/);
    expect(response.at("items.0.contentDetails.relatedPlaylists.uploads")).toBe(`UU${channelId.slice(2)}`);
    expect(response.at("items.0.snippet.customUrl")).toBe("@harbor_workshop");
    expect(response.at("items.0.statistics")).toBeUndefined();
  });

  test("paginates the uploads playlist, newest first, with each video once", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const playlist = await uploadsOf(get);
    const ids: unknown[] = [];
    let pageToken: unknown = "";
    for (let pages = 0; pageToken !== undefined; pages += 1) {
      expect(pages).toBeLessThan(10);
      const page = await get(`${itemsOf(playlist)}&maxResults=20&pageToken=${String(pageToken)}`);
      const found = page.at("items.*.snippet.resourceId.videoId") as unknown[];
      expect(page.at("items.*.snippet.position")).toEqual(found.map((_, index) => ids.length + index));
      ids.push(...found);
      pageToken = page.at("nextPageToken");
    }
    const posts = await simulator.posts("provider-a", "harbor-workshop");
    expect(ids).toEqual(posts.map((post) => post.id));
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("a deleted video is a tombstone in the playlist and absent from the videos", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const [deleted] = await simulator.posts("provider-a", "harbor-workshop", "deleted");
    const [kept] = await simulator.posts("provider-a", "harbor-workshop", "private");
    const url = `${itemsOf(await uploadsOf(get))}&maxResults=50`;
    const pages = await Promise.all([get(url), get(`${url}&pageToken=EAAaUFQ6NTA`)]);
    const items = pages.flatMap((page) => page.at("items") as Record<string, Record<string, unknown>>[]);
    const tombstone = items.find((item) => item.contentDetails?.videoId === deleted?.id);
    expect(tombstone?.snippet).toMatchObject({ title: "Deleted video", thumbnails: {} });
    expect(tombstone?.snippet).not.toHaveProperty("videoOwnerChannelId");
    expect(tombstone?.contentDetails).not.toHaveProperty("videoPublishedAt");
    const videos = await get(`/videos?part=snippet,status,statistics&id=${deleted?.id},${kept?.id},doesNotExis`);
    expect(videos.at("items.*.id")).toEqual([kept?.id]);
    expect(videos.at("items.0.status.privacyStatus")).toBe("private");
  });

  test("omits another user's private video and returns a public one with its owner", async () => {
    const { get } = await simulator.connect("provider-a", "kitchen-atlas");
    const [hidden] = await simulator.posts("provider-a", "harbor-workshop", "private");
    const [shown] = await simulator.posts("provider-a", "harbor-workshop", "public");
    const owner = await simulator.control("GET", "/accounts/provider-a/harbor-workshop");
    const videos = await get(`/videos?part=snippet&id=${hidden?.id},${shown?.id}`);
    expect(videos.at("items.*.id")).toEqual([shown?.id]);
    expect(videos.at("items.0.snippet.channelId")).toBe(owner.at("accountId"));
  });

  test("counts are decimal strings, and hidden ones are absent", async () => {
    const newest = async (account: string) => {
      const { get } = await simulator.connect("provider-a", account);
      const [post] = await simulator.posts("provider-a", account, "public");
      return (await get(`/videos?part=statistics&id=${post?.id}`)).at("items.0.statistics");
    };
    expect(await newest("hidden-likes")).toEqual({
      viewCount: expect.stringMatching(/^\d+$/),
      favoriteCount: "0",
      commentCount: expect.stringMatching(/^\d+$/),
    });
    expect(await newest("comments-off")).not.toHaveProperty("commentCount");
    expect(await newest("rate-limited-forever")).toBeUndefined();
  });

  test.each([
    ["/channels?mine=true", 400, "missingRequiredParameter"],
    ["/channels?part=snippet", 400, "missingRequiredParameter"],
    ["/playlistItems?part=snippet&playlistId=UUunknown", 404, "playlistNotFound"],
    ["/playlistItems?part=snippet", 400, "missingRequiredParameter"],
    ["/playlistItems?part=snippet&playlistId=UUunknown&maxResults=51", 400, "invalidParameter"],
    ["/videos?part=snippet", 400, "missingRequiredParameter"],
    [`/videos?part=snippet&id=${Array.from({ length: 51 }, (_, index) => index).join(",")}`, 400, "invalidParameter"],
  ])("rejects %s with its reason", async (path, status, reason) => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const response = await get(path);
    const shown = [response.status, response.at("error.code"), response.at("error.errors.0.reason")];
    expect(shown).toEqual([status, status, reason]);
  });

  test("accepts parts and ids separated by commas, repeated, or both", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const whole = await get("/channels?part=snippet,statistics,contentDetails&mine=true");
    for (const parts of ["snippet&part=statistics&part=contentDetails", "snippet,statistics&part=contentDetails"])
      expect((await get(`/channels?part=${parts}&mine=true`)).text).toBe(whole.text);
    const playlist = whole.at("items.0.contentDetails.relatedPlaylists.uploads");
    const page = await get(`/playlistItems?part=id&part=contentDetails&playlistId=${playlist}&maxResults=10`);
    const ids = page.at("items.*.contentDetails.videoId") as string[];
    const videos = await get(`/videos?part=id&id=${ids.join("&id=")}`);
    expect(videos.at("items.*.id")).toEqual((await get(`/videos?part=id&id=${ids.join(",")}`)).at("items.*.id"));
    expect(videos.at("items.2")).toBeDefined();
  });

  test("rejects an unknown page token", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    const playlist = await uploadsOf(get);
    const response = await get(`/playlistItems?part=id&playlistId=${playlist}&pageToken=nonsense`);
    expect([response.status, response.at("error.errors.0.reason")]).toEqual([400, "invalidPageToken"]);
  });

  test("reports a missing scope only in details", async () => {
    const { get } = await simulator.connect("provider-a", "no-scopes");
    const response = await get(OWN_CHANNEL);
    expect([response.status, response.at("error.details.0.reason")]).toEqual([403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"]);
    expect(response.at("error.errors")).toBeUndefined();
  });

  test("omits items for a user without a channel", async () => {
    const { get } = await simulator.connect("provider-a", "no-channel");
    const response = await get(OWN_CHANNEL);
    expect([response.status, response.at("items"), response.at("pageInfo.totalResults")]).toEqual([200, undefined, 0]);
  });

  test("the daily quota applies to all accounts of the application and resets the next day", async () => {
    const { get } = await simulator.connect("provider-a", "harbor-workshop");
    await simulator.control("POST", "/limits", { unitsPerDay: 0 });
    const response = await get(OWN_CHANNEL);
    await simulator.control("POST", "/limits", { unitsPerDay: 10_000 });
    expect(response.status).toBe(403);
    expect(response.at("error.errors.0")).toMatchObject({ reason: "quotaExceeded", domain: "youtube.quota" });
    expect((await get(OWN_CHANNEL)).status).toBe(200);
    simulator.clock.advance(DAY_MS);
    expect((await get(OWN_CHANNEL)).status).toBe(401);
  });
});

/** The id of the playlist with the caller's uploads. */
async function uploadsOf(get: Connected["get"]): Promise<string> {
  const response = await get("/channels?part=contentDetails&mine=true");
  return String(response.at("items.0.contentDetails.relatedPlaylists.uploads"));
}

function itemsOf(playlist: string): string {
  return `/playlistItems?part=snippet,contentDetails,status&playlistId=${playlist}`;
}

test("an unknown application or redirect URL gets an error page without a redirect", async () => {
  for (const parameters of [
    { client_id: "stranger" },
    { redirect_uri: `${REDIRECT_URI}/` },
    { redirect_uri: null },
    { response_type: "token" },
  ]) {
    const response = await fetch(simulator.authorizationUrl("provider-a", parameters), { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  }
  expect((await fetch(simulator.authorizationUrl("provider-a"), { redirect: "manual" })).status).toBe(200);
});
