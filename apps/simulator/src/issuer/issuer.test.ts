import { ISSUER_FAULTS, type IssuerFault } from "@social-connect/provider-fixtures";
import * as client from "openid-client";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signIn } from "../drive/drive.ts";
import { startTestSimulator, type TestSimulator } from "../testing/testSimulator.ts";
import { userNamed } from "./users.ts";

const REDIRECT_URI = "http://127.0.0.1:65001/callback";
const APPLICATION = {
  clientId: "identity",
  clientSecret: "identity-secret",
  name: "Identity handoff",
  redirectUris: [REDIRECT_URI],
};
let simulator: TestSimulator;
let configuration: client.Configuration;

beforeAll(async () => {
  const panel = { clientId: "panel", clientSecret: "panel-secret", redirectUris: [REDIRECT_URI] };
  simulator = await startTestSimulator({ issuerClients: [APPLICATION, panel] });
  configuration = await discover();
});
beforeEach(() => simulator.setIssuerFaults([]));
afterAll(() => simulator.close());

function discover(): Promise<client.Configuration> {
  const execute = [client.allowInsecureRequests, client.enableNonRepudiationChecks];
  const { clientId, clientSecret } = APPLICATION;
  return client.discovery(new URL(simulator.issuerUrl), clientId, clientSecret, undefined, { execute });
}

/** The sign-in page of a flow, and the cookie of the browser that began it. */
async function openPage(parameters: Record<string, string> = {}) {
  const { url } = await begin(parameters);
  const { headers } = await fetch(url, { redirect: "manual" });
  const cookies = headers.getSetCookie().map((line) => line.split(";")[0]);
  return { page: new URL(headers.get("location") ?? "", url), cookie: cookies.join("; ") };
}

interface Flow {
  readonly url: URL;
  readonly checks: client.AuthorizationCodeGrantChecks & { pkceCodeVerifier: string };
}

async function begin(parameters: Record<string, string> = {}): Promise<Flow> {
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const expectedNonce = client.randomNonce();
  const expectedState = client.randomState();
  const url = client.buildAuthorizationUrl(configuration, {
    redirect_uri: REDIRECT_URI,
    scope: "openid email profile",
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...parameters,
  });
  return { url, checks: { pkceCodeVerifier, expectedNonce, expectedState, idTokenExpected: true } };
}

async function finish(person: string, parameters: Record<string, string> = {}, maxAge?: number) {
  const { url, checks } = await begin(parameters);
  const callback = await signIn(url, { person });
  return client.authorizationCodeGrant(configuration, callback, { ...checks, ...(maxAge !== undefined && { maxAge }) });
}

describe("signing in", () => {
  test("returns the user's claims in the ID token and in UserInfo", async () => {
    const tokens = await finish("ada");
    const ada = userNamed("ada");
    const claims = tokens.claims();
    expect(claims).toMatchObject({
      iss: simulator.issuerUrl,
      sub: ada?.subject,
      aud: APPLICATION.clientId,
      email: "ada@example.test",
      email_verified: true,
      name: "Ada Lindqvist",
    });
    expect(typeof claims?.auth_time).toBe("number");
    const userInfo = await client.fetchUserInfo(configuration, tokens.access_token, ada?.subject ?? "");
    expect(userInfo).toMatchObject({ email: "ada@example.test", name: "Ada Lindqvist" });
    expect((await fetch(String(userInfo.picture))).headers.get("content-type")).toBe("image/svg+xml");
  });

  test("users have different claims", async () => {
    expect((await finish("ben")).claims()?.email_verified).toBe(false);
    expect((await finish("no-email")).claims()).not.toHaveProperty("email");
    const admin = (await finish("admin")).claims();
    const impostor = (await finish("admin-other-account")).claims();
    expect([admin?.email, impostor?.email]).toEqual(["admin@example.test", "admin@example.test"]);
    expect(admin?.sub).not.toBe(impostor?.sub);
  });

  test("supports max_age and prompt=login with a new auth_time", async () => {
    const tokens = await finish("admin", { max_age: "300", prompt: "login" }, 300);
    const age = (tokens.claims()?.iat ?? 0) - Number(tokens.claims()?.auth_time);
    expect(age).toBeLessThan(60);
  });

  test("supports prompt=select_account", async () => {
    expect((await finish("ada", { prompt: "select_account" })).claims()?.email).toBe("ada@example.test");
  });

  test("redirects with access_denied and the state if the user denies", async () => {
    for (const choice of [{ person: "ada", decision: "deny" }, { person: "deny" }] as const) {
      const { url, checks } = await begin();
      const { searchParams } = await signIn(url, choice);
      expect(searchParams.get("error")).toBe("access_denied");
      expect(searchParams.get("state")).toBe(checks.expectedState);
      expect(searchParams.get("iss")).toBe(simulator.issuerUrl);
    }
  });
});

describe("the flow's rules", () => {
  test("a challenge is required", async () => {
    const { url } = await begin();
    url.searchParams.delete("code_challenge");
    url.searchParams.delete("code_challenge_method");
    expect((await signIn(url, { person: "ada" })).searchParams.get("error")).toBe("invalid_request");
  });

  test("rejects a wrong verifier and a second use of a code", async () => {
    const { url, checks } = await begin();
    const callback = await signIn(url, { person: "ada" });
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    const refused = { error: "invalid_grant" };
    await expect(client.authorizationCodeGrant(configuration, callback, wrong)).rejects.toMatchObject(refused);
    const again = await begin();
    const second = await signIn(again.url, { person: "ada" });
    await client.authorizationCodeGrant(configuration, second, again.checks);
    await expect(client.authorizationCodeGrant(configuration, second, again.checks)).rejects.toMatchObject(refused);
  });

  test("never redirects to an unregistered URL", async () => {
    const { url } = await begin({ redirect_uri: "http://127.0.0.1:65001/elsewhere" });
    const response = await fetch(url, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });

  test("binds a sign-in page to the browser that started it", async () => {
    const { page, cookie } = await openPage();
    expect((await fetch(page)).status).toBe(400);
    const shown = await fetch(page, { headers: { cookie } });
    expect(shown.status).toBe(200);
    expect(await shown.text()).toContain("Sign in to Identity handoff");
    const choices = await simulator.call(page.toString(), { headers: { cookie, accept: "application/json" } });
    expect(choices.at("people.*.name")).toContain("admin");
  });

  test("accepts plain http redirect URLs only on loopback", async () => {
    const issuerClients = [{ ...APPLICATION, redirectUris: ["http://app.example.test/callback"] }];
    await expect(startTestSimulator({ issuerClients })).rejects.toThrow("http on loopback");
  });
});

describe("the clock", () => {
  test("moves the times of ID tokens", async () => {
    await simulator.control("POST", "/clock", { offsetMs: 30 * 86_400_000 });
    const moved = (await finish("ada")).claims();
    await simulator.control("POST", "/clock", { offsetMs: 0 });
    const still = (await finish("ada")).claims();
    const days = ((moved?.iat ?? 0) - (still?.iat ?? 0)) / 86_400;
    expect(Math.round(days)).toBe(30);
    expect((moved?.exp ?? 0) - (moved?.iat ?? 0)).toBe(3_600);
  });
});

describe("faults", () => {
  const ELSEWHERE: readonly IssuerFault[] = ["stale-auth-time", "wrong-discovery", "wrong-userinfo-subject"];
  test.each(ISSUER_FAULTS.filter((fault) => !ELSEWHERE.includes(fault)))(
    "a strict client detects %s, and the fault can be removed",
    async (fault) => {
      await simulator.control("POST", "/issuer/faults", { faults: [fault] });
      await expect(finish("ada")).rejects.toThrow();
      await simulator.control("POST", "/issuer/faults", { faults: [] });
      await expect(finish("ada")).resolves.toBeDefined();
    },
  );

  test("a client that requires a recent sign-in detects stale-auth-time", async () => {
    simulator.setIssuerFaults(["stale-auth-time"]);
    await expect(finish("admin", { max_age: "300" }, 300)).rejects.toThrow();
    simulator.setIssuerFaults([]);
    await expect(finish("admin", { max_age: "300" }, 300)).resolves.toBeDefined();
  });

  test("a strict client detects wrong-discovery and wrong-userinfo-subject", async () => {
    simulator.setIssuerFaults(["wrong-discovery", "wrong-userinfo-subject"]);
    await expect(discover()).rejects.toThrow();
    const tokens = await finish("ada");
    await expect(
      client.fetchUserInfo(configuration, tokens.access_token, tokens.claims()?.sub ?? ""),
    ).rejects.toThrow();
    simulator.setIssuerFaults([]);
    await expect(discover()).resolves.toBeDefined();
  });
});

test("the page preselects the admin, or the user of login_hint", async () => {
  const selected = async (parameters: Record<string, string>) => {
    const { page, cookie } = await openPage(parameters);
    const shown = await fetch(page, { headers: { cookie } });
    return /value="([^"]+)" required checked/.exec(await shown.text())?.[1];
  };
  expect(await selected({})).toBe("admin");
  expect(await selected({ login_hint: "ada@example.test" })).toBe("ada");
});
