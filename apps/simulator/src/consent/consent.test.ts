import { afterAll, describe, expect, test } from "vitest";
import { PROVIDER_KEYS, type ProviderKey } from "../shared/providerKeys.ts";
import { REDIRECT_URI, startTestSimulator } from "../testing/testSimulator.ts";

const simulator = await startTestSimulator();

afterAll(() => simulator.close());

test("the simulator's own URL lists every account", async () => {
  const response = await fetch(simulator.simulatorUrl);
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
  const page = await response.text();
  const accounts = (await simulator.control("GET", "/accounts")).at("accounts.*.name") as string[];
  expect(accounts).not.toEqual([]);
  for (const name of accounts) expect(page).toContain(`<code>${name}</code>`);
});

async function openPage(provider: ProviderKey) {
  const headers = { accept: "application/json" };
  const shown = await simulator.call(simulator.authorizationUrl(provider).toString(), { headers });
  const decide = (fields: Record<string, string>) => {
    const body = new URLSearchParams({ request: String(shown.at("request")), ...fields });
    return fetch(String(shown.at("action")), { method: "POST", body, redirect: "manual" });
  };
  return { shown, decide };
}

describe.each(PROVIDER_KEYS)("the consent page of %s", (provider) => {
  test("is a plain form with the application, the scopes and every account", async () => {
    const response = await fetch(simulator.authorizationUrl(provider));
    const page = await response.text();
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page).toContain("Allow Test &amp; Application to read your account?");
    expect(page).not.toContain("<script");
    const accounts = await simulator.control("GET", `/accounts?provider=${provider}`);
    const listed = [...page.matchAll(/name="account" value="([^"]+)"/g)].map((match) => match[1]);
    expect(listed).toEqual(accounts.at("accounts.*.name"));
    const scopes = new Set(Object.values(simulator.registration(provider).scopes).flat());
    expect(page.match(/name="scope"/g)?.length).toBe(scopes.size);
  });

  test("cannot be framed or cached, and runs no script", async () => {
    const { headers } = await fetch(simulator.authorizationUrl(provider));
    const policy = headers.get("content-security-policy") ?? "";
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`form-action 'self' ${new URL(REDIRECT_URI).origin}`);
    expect(policy).not.toContain("script-src");
    expect([headers.get("cache-control"), headers.get("referrer-policy")]).toEqual(["no-store", "no-referrer"]);
  });

  test("preselects the account of login_hint", async () => {
    const page = await (await fetch(simulator.authorizationUrl(provider, { login_hint: "unicode" }))).text();
    expect(page).toMatch(/value="unicode" required checked/);
    expect(page.match(/required checked/g)?.length).toBe(1);
  });

  test("returns its contents as JSON on request", async () => {
    const { shown, decide } = await openPage(provider);
    expect(shown.at("action")).toBe(`${simulator.providerUrls[provider]}/consent`);
    expect(shown.at("accounts.*.name")).toContain("deny");
    const decided = await decide({ account: "unicode", decision: "allow" });
    expect(decided.status).toBe(303);
    expect(new URL(decided.headers.get("location") ?? "").searchParams.has("code")).toBe(true);
  });

  test("accepts one decision: deny redirects with access_denied, a second one is rejected", async () => {
    const { decide } = await openPage(provider);
    // An invalid form does not consume the request.
    expect((await decide({ decision: "allow" })).status).toBe(400);
    expect((await decide({ decision: "allow", account: "unknown" })).status).toBe(400);
    expect((await decide({ decision: "perhaps", account: "unicode" })).status).toBe(400);
    const denied = await decide({ decision: "deny" });
    expect(new URL(denied.headers.get("location") ?? "").searchParams.get("error")).toBe("access_denied");
    const again = await decide({ decision: "allow", account: "unicode" });
    expect([again.status, again.headers.get("location")]).toEqual([400, null]);
  });

  test("does not redirect a request with a duplicate parameter", async () => {
    const url = simulator.authorizationUrl(provider);
    url.searchParams.append("state", "another");
    const response = await fetch(url, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([400, null]);
  });
});

/** Opens the consent page in the browser of a person who has allowed `unicode` there. */
async function openAgain(provider: ProviderKey, parameters: Record<string, string> = {}) {
  const shown = await fetch(simulator.authorizationUrl(provider));
  const request = /name="request" value="([^"]+)"/.exec(await shown.text())?.[1] ?? "";
  const body = new URLSearchParams({ request, account: "unicode", decision: "allow" });
  const allowed = await fetch(`${simulator.providerUrls[provider]}/consent`, {
    method: "POST",
    body,
    redirect: "manual",
  });
  const cookie = allowed.headers.getSetCookie()[0]?.split(";", 1)[0] ?? "";
  const again = await fetch(simulator.authorizationUrl(provider, parameters), {
    headers: { cookie },
    redirect: "manual",
  });
  const page = await again.text();
  const accounts = [...page.matchAll(/name="account" value="([^"]+)"/g)].map((match) => match[1]);
  return { again, page, accounts, cookie };
}

describe("a person who is signed in", () => {
  const CHOICE = {
    "provider-a": { prompt: "consent select_account" },
    "provider-b": { disable_auto_auth: "1" },
    "provider-c": { force_reauth: "true" },
  } as const;
  const OTHER = {
    "provider-a": { prompt: "consent" },
    "provider-b": { disable_auto_auth: "0" },
    "provider-c": { force_reauth: "false" },
  } as const;

  const providers = Object.keys(CHOICE) as (keyof typeof CHOICE)[];
  test.each(providers)("chooses among all accounts of %s when the request asks for it", async (provider) => {
    const { accounts } = await openAgain(provider, CHOICE[provider]);
    expect(accounts).toEqual(expect.arrayContaining(["unicode", "deny"]));
  });

  test.each(["provider-a", "provider-c"] as const)("is offered only that account of %s otherwise", async (provider) => {
    const { accounts, page, cookie } = await openAgain(provider, OTHER[provider]);
    expect(accounts).toEqual(["unicode"]);
    const request = /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "";
    const body = new URLSearchParams({ request, account: "deny", decision: "allow" });
    const address = `${simulator.providerUrls[provider]}/consent`;
    const other = await fetch(address, { method: "POST", body, headers: { cookie }, redirect: "manual" });
    expect([other.status, other.headers.get("location")]).toEqual([400, null]);
    const out = await fetch(`${simulator.providerUrls[provider]}/sign-out`, {
      headers: { cookie },
      redirect: "manual",
    });
    expect(out.headers.getSetCookie()[0]).toContain("Max-Age=0");
  });

  test("is redirected by provider B without a page otherwise", async () => {
    const { again } = await openAgain("provider-b", OTHER["provider-b"]);
    expect(new URL(again.headers.get("location") ?? "").searchParams.get("code")).toMatch(/^./);
  });
});

test("a challenge must be a well-formed S256 challenge; provider B checks its encoding at the exchange", async () => {
  const S256 = { code_challenge_method: "S256" };
  const forms = { base64url: { code_challenge: "c".repeat(43) }, hex: { code_challenge: "c".repeat(64) } };
  const invalid = [
    { ...forms.base64url, code_challenge_method: "plain" },
    { code_challenge: "short", ...S256 },
  ];
  for (const parameters of [...invalid, { ...forms.hex, ...S256 }]) {
    expect((await fetch(simulator.authorizationUrl("provider-a", parameters))).status).toBe(400);
  }
  for (const parameters of invalid) {
    const back = await fetch(simulator.authorizationUrl("provider-b", parameters), { redirect: "manual" });
    expect(new URL(back.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_request");
  }
  for (const [provider, form] of [
    ["provider-a", forms.base64url],
    ["provider-b", forms.base64url],
    ["provider-b", forms.hex],
  ] as const) {
    expect((await fetch(simulator.authorizationUrl(provider, { ...form, ...S256 }))).status).toBe(200);
  }
});
