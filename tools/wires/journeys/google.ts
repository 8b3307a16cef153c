import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { youtube, type youtube_v3 } from "@googleapis/youtube";
import { CodeChallengeMethod, OAuth2Client } from "google-auth-library";
import { CLIENT, REDIRECT_URI } from "../../../apps/simulator/src/testing/testSimulator.ts";
import { codeFor, simulator, useSimulator } from "../publicHosts.ts";

/** PROVIDER_A as Google's own clients see it: google-auth-library and @googleapis/youtube. */

const SCOPE = "https://www.googleapis.com/auth/youtube.readonly";
const HOUR_MS = 3_600_000;

useSimulator();

function newClient(): OAuth2Client {
  const origin = simulator.providerUrls["provider-a"];
  return new OAuth2Client({
    clientId: CLIENT.clientId,
    clientSecret: CLIENT.clientSecret,
    redirectUri: REDIRECT_URI,
    endpoints: {
      oauth2AuthBaseUrl: `${origin}/o/oauth2/v2/auth`,
      oauth2TokenUrl: `${origin}/token`,
      oauth2RevokeUrl: `${origin}/revoke`,
    },
  });
}

async function authorize(client: OAuth2Client, account: string): Promise<{ code: string; codeVerifier: string }> {
  const { codeVerifier, codeChallenge } = await client.generateCodeVerifierAsync();
  const url = client.generateAuthUrl({
    access_type: "offline",
    prompt: "consent",
    scope: [SCOPE],
    state: "the-state",
    code_challenge_method: CodeChallengeMethod.S256,
    code_challenge: String(codeChallenge),
  });
  return { code: await codeFor(url, account), codeVerifier };
}

async function signIn(account: string): Promise<{ client: OAuth2Client; api: youtube_v3.Youtube }> {
  const client = newClient();
  const { tokens } = await client.getToken(await authorize(client, account));
  client.setCredentials(tokens);
  return { client, api: youtube({ version: "v3", auth: client, rootUrl: simulator.providerUrls["provider-a"] }) };
}

/** Every video id of the account's uploads, page by page. */
async function allUploads(api: youtube_v3.Youtube): Promise<string[]> {
  const { data } = await api.channels.list({ part: ["contentDetails"], mine: true });
  const playlistId = String(data.items?.[0]?.contentDetails?.relatedPlaylists?.uploads);
  const ids: string[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.playlistItems.list({
      part: ["snippet", "contentDetails"],
      playlistId,
      maxResults: 10,
      ...(pageToken !== undefined && { pageToken }),
    });
    ids.push(...(page.data.items ?? []).map((item) => String(item.snippet?.resourceId?.videoId)));
    pageToken = page.data.nextPageToken ?? undefined;
  } while (pageToken !== undefined);
  return ids;
}

/** The client's description of a rejection. */
function refusal(status: number, reason: string) {
  return (error: {
    status?: number;
    response?: { data: { error: { errors?: { reason: string }[]; details?: { reason: string }[] } } };
  }) => {
    const body = error.response?.data.error;
    const reasons = [...(body?.errors ?? []), ...(body?.details ?? [])].map((entry) => entry.reason);
    assert.deepEqual([error.status, reasons], [status, [reason]]);
    return true;
  };
}

function oauthRefusal(code: string) {
  return (error: { status?: number; response?: { data: { error: string } } }) => {
    assert.deepEqual([error.status, error.response?.data.error], [400, code]);
    return true;
  };
}

describe("sign-in", () => {
  test("a code with its PKCE verifier buys an access and a refresh token", async () => {
    const client = newClient();
    const { tokens } = await client.getToken(await authorize(client, "harbor-workshop"));
    assert.deepEqual([tokens.scope, tokens.token_type], [SCOPE, "Bearer"]);
    assert.ok(tokens.access_token && tokens.refresh_token && Number(tokens.expiry_date) > Date.now());
  });

  test("a code with another verifier, and a code a second time, are invalid_grant; a second use revokes its tokens", async () => {
    const client = newClient();
    const grant = await authorize(client, "harbor-workshop");
    await assert.rejects(client.getToken({ ...grant, codeVerifier: "v".repeat(43) }), oauthRefusal("invalid_grant"));
    const { tokens } = await client.getToken(grant);
    await assert.rejects(client.getToken(grant), oauthRefusal("invalid_grant"));
    client.setCredentials(tokens);
    await assert.rejects(client.refreshAccessToken(), oauthRefusal("invalid_grant"));
  });
});

describe("reads", () => {
  test("the client reads its own channel, with one parameter per part", async () => {
    const { api } = await signIn("harbor-workshop");
    const part = ["snippet", "contentDetails", "statistics"];
    const { data } = await api.channels.list({ part, mine: true });
    const [channel] = data.items ?? [];
    assert.equal(channel?.snippet?.title, "Harbor Workshop");
    assert.match(String(channel?.statistics?.subscriberCount), /^\d+$/);
    assert.match(String(channel?.contentDetails?.relatedPlaylists?.uploads), /^UU/);
  });

  test("all uploads, page by page, and the numbers of fifty videos in one call", async () => {
    const { api } = await signIn("harbor-workshop");
    const ids = await allUploads(api);
    const posts = (await simulator.control("GET", "/accounts/provider-a/harbor-workshop/posts")).at("posts.*.id");
    assert.deepEqual(ids, posts);
    const asked = ids.slice(0, 50);
    const { data } = await api.videos.list({ part: ["snippet", "statistics"], id: asked });
    const found = data.items ?? [];
    assert.ok(found.length > asked.length / 2);
    for (const video of found) {
      assert.ok(asked.includes(String(video.id)));
      assert.match(String(video.statistics?.viewCount), /^\d+$/);
    }
  });

  test("the client retries a call over a temporary limit and succeeds", async () => {
    const { api } = await signIn("harbor-workshop");
    await simulator.control("POST", "/faults", {
      provider: "provider-a",
      endpoint: "channels",
      fault: { kind: "rate-limited" },
    });
    const { data } = await api.channels.list({ part: ["id"], mine: true });
    assert.equal(data.items?.length, 1);
    assert.deepEqual((await simulator.control("GET", "/faults")).at("faults"), []);
  });
});

describe("refresh", () => {
  test("the client renews an expired access token before the call, and keeps the refresh token", async () => {
    const { client, api } = await signIn("harbor-workshop");
    const { access_token: before, refresh_token: refreshToken } = client.credentials;
    client.setCredentials({ ...client.credentials, expiry_date: Date.now() - 1_000 });
    await api.channels.list({ part: ["id"], mine: true });
    assert.notEqual(client.credentials.access_token, before);
    assert.equal(client.credentials.refresh_token, refreshToken);
  });

  test("the client renews a rejected access token and repeats the call", async () => {
    const { client, api } = await signIn("harbor-workshop");
    simulator.clock.advance(2 * HOUR_MS);
    client.forceRefreshOnFailure = true;
    assert.equal((await api.channels.list({ part: ["id"], mine: true })).status, 200);
  });

  test("a refresh token that never was is invalid_grant", async () => {
    const client = newClient();
    client.setCredentials({ refresh_token: "1//nothing" });
    await assert.rejects(client.refreshAccessToken(), oauthRefusal("invalid_grant"));
  });
});

describe("errors", () => {
  test("an access token that ended is 401", async () => {
    const { client, api } = await signIn("harbor-workshop");
    client.setCredentials({ access_token: String(client.credentials.access_token) });
    simulator.clock.advance(2 * HOUR_MS);
    await assert.rejects(api.channels.list({ part: ["id"], mine: true }), refusal(401, "authError"));
  });

  test("a day's quota that is used up is 403 quotaExceeded", async () => {
    const { api } = await signIn("harbor-workshop");
    await simulator.control("POST", "/limits", { unitsPerDay: 0 });
    await assert.rejects(api.channels.list({ part: ["id"], mine: true }), refusal(403, "quotaExceeded"));
    await simulator.control("POST", "/limits", { unitsPerDay: 10_000 });
    assert.equal((await api.channels.list({ part: ["id"], mine: true })).status, 200);
  });

  test("a playlist that is not there is 404 playlistNotFound", async () => {
    const { api } = await signIn("harbor-workshop");
    const missing = api.playlistItems.list({ part: ["id"], playlistId: "UUnothing" });
    await assert.rejects(missing, refusal(404, "playlistNotFound"));
  });

  test("a grant without the scope is 403, with the reason in the details", async () => {
    const { api } = await signIn("no-scopes");
    const call = api.channels.list({ part: ["id"], mine: true });
    await assert.rejects(call, refusal(403, "ACCESS_TOKEN_SCOPE_INSUFFICIENT"));
  });
});

test("revoking the access token ends the refresh token too, and a second revocation is invalid_token", async () => {
  const { client, api } = await signIn("harbor-workshop");
  const { access_token: accessToken, refresh_token: refreshToken } = client.credentials;
  assert.equal((await client.revokeCredentials()).status, 200);
  client.setCredentials({ access_token: String(accessToken) });
  await assert.rejects(api.channels.list({ part: ["id"], mine: true }), refusal(401, "authError"));
  client.setCredentials({ refresh_token: String(refreshToken) });
  await assert.rejects(client.refreshAccessToken(), oauthRefusal("invalid_grant"));
  await assert.rejects(client.revokeToken(String(accessToken)), oauthRefusal("invalid_token"));
});
