import { type IssuerFault, type RunningSimulator, signIn } from "@social-connect/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { SYSTEM } from "../modules/admin/actor.ts";
import { addAdmin, removeAdmin } from "../modules/admins/admins.ts";
import { createAdminMember, createApiKey } from "../modules/testing/admins.ts";
import { createApplication } from "../modules/testing/builders.ts";
import { service, useService } from "../modules/testing/fixtures.ts";
import { panelPath } from "./panelPages.ts";
import { SIGN_IN_STARTS } from "./signInLimit.ts";
import { type AdminServer, signInToPanel, startAdminServer } from "./testing/adminServer.ts";
import { issuerAt, moveIssuerClock, startServerWithIssuer } from "./testing/issuer.ts";
import { post } from "./testing/testServer.ts";
import { locationOf, visit } from "./testing/visits.ts";

useService();

const MINUTE = 60_000;
const EVIL = "https://evil.example";
let server: AdminServer;
let simulator: RunningSimulator;

beforeAll(async () => {
  ({ server, simulator } = await startServerWithIssuer(service));
});
afterAll(async () => {
  await server.close();
  await simulator.close();
});
beforeEach(async () => {
  service.clock.set("2026-03-10T12:00:00.000Z");
  simulator.setIssuerFaults([]);
  await service.prisma.adminMember.deleteMany();
  await service.prisma.refusedPrompt.deleteMany();
  await createAdminMember(service, "keeper@example.test");
  await addAdmin(service, SYSTEM, "admin@example.test");
});

/** A browser with a cookie jar that does not follow redirects. */
class Visitor {
  readonly cookies = new Map<string, string>();

  async get(path: string): Promise<Response> {
    return this.#keep(await visit(new URL(path, server.url), this.#cookie()));
  }

  async post(path: string, headers: Record<string, string>, body?: URLSearchParams): Promise<Response> {
    const all = { cookie: this.#cookie(), ...headers };
    return this.#keep(await fetch(server.url + path, { method: "POST", headers: all, ...(body && { body }) }));
  }

  async graphql(query: string, headers: Record<string, string> = {}) {
    const session = await this.session();
    const own = { cookie: this.#cookie(), origin: server.url, "x-csrf-token": session?.csrfToken ?? "" };
    return post(`${server.url}/panel/graphql`, { query }, { ...own, ...headers });
  }

  async session(): Promise<{ email: string; csrfToken: string } | null> {
    return (await this.get("/panel/session")).json() as Promise<{ email: string; csrfToken: string } | null>;
  }

  /** Follows a sign-in from the start page to the redirect of the callback. */
  async signInAtIssuer(start: string, person = "admin", decision: "allow" | "deny" = "allow"): Promise<Response> {
    return this.get(await this.answerOfIssuer(start, person, decision));
  }

  /** The redirect of the issuer, not yet followed. */
  async answerOfIssuer(start: string, person = "admin", decision: "allow" | "deny" = "allow"): Promise<string> {
    const started = await this.get(start);
    expect(started.status).toBe(303);
    await moveIssuerClock(simulator, service);
    return (await signIn(locationOf(started), { person, decision })).href;
  }

  #cookie(): string {
    return [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  }

  #keep(response: Response): Response {
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";", 1);
      const at = pair.indexOf("=");
      if (/max-age=0/i.test(line)) this.cookies.delete(pair.slice(0, at));
      else this.cookies.set(pair.slice(0, at), pair.slice(at + 1));
    }
    return response;
  }
}

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.signInAtIssuer("/panel/sign-in");
  return visitor;
}

const MINT =
  'mutation { mintApiKey(label: "k", scope: READ, lifetimeDays: 1) { __typename ... on MintedApiKey { key } ... on ConfirmationRequiredError { confirmUrl } } }';

describe("signing in", () => {
  test("binds the first account with the verified email address to that admin and opens the panel", async () => {
    const visitor = new Visitor();
    const landed = await visitor.signInAtIssuer("/panel/sign-in?returnTo=/panel/audit%3Fkey=1");
    expect([landed.status, locationOf(landed)]).toEqual([303, `${server.url}/panel/audit?key=1`]);
    expect(landed.headers.getSetCookie().join()).toMatch(
      /^social-connect-panel=[0-9a-f]{64}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(await visitor.session()).toMatchObject({ email: "admin@example.test" });
    const { adminMembers } = (await visitor.graphql("{ adminMembers { email bound } }")).data;
    expect(adminMembers).toContainEqual({ email: "admin@example.test", bound: true });
    const where = { action: "Admin signed in for the first time" };
    const entry = await service.prisma.auditEntry.findFirst({ where });
    expect(entry?.summary).toContain("admin@example.test");
  });

  test.each([
    ["an unknown person", "ada"],
    ["an unverified email address", "admin-unverified"],
    ["no email address", "no-email"],
  ])("rejects %s", async (_, person) => {
    const visitor = new Visitor();
    const landed = await visitor.signInAtIssuer("/panel/sign-in", person);
    expect(landed.status).toBe(403);
    expect(await visitor.session()).toBeNull();
  });

  test("rejects another account with the same email address once the admin is bound", async () => {
    await signedIn();
    const other = new Visitor();
    expect((await other.signInAtIssuer("/panel/sign-in", "admin-other-account")).status).toBe(403);
    expect(await other.session()).toBeNull();
  });

  test("shows an error page when it was declined, started in another browser or already finished", async () => {
    const visitor = new Visitor();
    expect((await visitor.signInAtIssuer("/panel/sign-in", "admin", "deny")).status).toBe(403);
    const back = await visitor.answerOfIssuer("/panel/sign-in");
    expect((await new Visitor().get(back)).status).toBe(403);
    service.clock.advance(10 * MINUTE);
    expect((await visitor.get(back)).status).toBe(400);
    expect((await visitor.get(back)).status).toBe(400);
    expect((await visitor.get("/panel/callback")).status).toBe(400);
    expect(await visitor.session()).toBeNull();
  });

  test("links to a sign-in with another account and to the panel on each error page", async () => {
    const visitor = new Visitor();
    const start = "/panel/sign-in?returnTo=/panel/audit%3Fkey=1";
    const back = await visitor.answerOfIssuer(start);
    const landed = [
      await visitor.signInAtIssuer(start, "ada"),
      await visitor.signInAtIssuer(start, "admin", "deny"),
      await new Visitor().get(back),
      (await visitor.get(back)) && (await visitor.get(back)),
    ];
    const other = "/panel/sign-in?account=other&amp;returnTo=%2Fpanel";
    for (const [index, page] of landed.entries()) {
      const [path, query] = index < 3 ? ["/panel/audit?key=1", "%2Faudit%3Fkey%3D1"] : ["/panel", ""];
      const text = await page.text();
      expect([index, page.status, text]).toEqual([
        index,
        index < 3 ? 403 : 400,
        expect.stringContaining(`href="${path}"`),
      ]);
      expect([index, text]).toEqual([index, expect.stringContaining(`href="${other}${query}"`)]);
    }
    const asked = locationOf(await visitor.get("/panel/sign-in?account=other"));
    expect(new URL(asked).searchParams.get("prompt")).toBe("select_account");
    expect((await visitor.signInAtIssuer("/panel/sign-in?account=other")).status).toBe(303);
  });

  test("is neither started nor finished by HEAD or a prefetch", async () => {
    const early = (path: string, cookie = "") =>
      Promise.all([
        fetch(new URL(path, server.url), { method: "HEAD", redirect: "manual", headers: { cookie } }),
        visit(new URL(path, server.url), cookie, { "sec-purpose": "prefetch" }),
        visit(new URL(path, server.url), cookie, { "x-moz": "prefetch" }),
      ]);
    const signIns = await service.prisma.adminSignIn.count();
    for (const path of ["/panel/sign-in", "/panel/confirm"]) {
      expect((await early(path)).map(({ status }) => status)).toEqual([204, 425, 425]);
    }
    expect(await service.prisma.adminSignIn.count()).toBe(signIns);
    const visitor = new Visitor();
    const back = await visitor.answerOfIssuer("/panel/sign-in");
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    expect((await early(back, cookie)).map(({ status }) => status)).toEqual([204, 425, 425]);
    expect((await visitor.get(back)).status).toBe(303);
  });

  test("opens one session, however many callbacks arrive concurrently", async () => {
    const visitor = new Visitor();
    const back = await visitor.answerOfIssuer("/panel/sign-in");
    const landed = await Promise.all(Array.from({ length: 10 }, () => visitor.get(back)));
    expect(landed.map(({ status }) => status).sort()).toEqual([303, ...Array.from({ length: 9 }, () => 400)]);
    expect(await service.prisma.adminSession.count()).toBe(1);
  });

  test("is rejected when the issuer's auth_time is older than a session's lifetime", async () => {
    const visitor = new Visitor();
    simulator.setIssuerFaults(["stale-auth-time"]);
    expect((await visitor.signInAtIssuer("/panel/sign-in")).status).toBe(502);
    expect(await visitor.session()).toBeNull();
    simulator.setIssuerFaults([]);
    expect((await visitor.signInAtIssuer("/panel/sign-in")).status).toBe(303);
  });

  test("redirects only to pages of the panel", () => {
    const adminUrl = new URL("https://admin.example");
    const taken = ["/panel", "/panel/", "/panel/a?b=c", "/panel/a/../b"];
    expect(taken.map((path) => panelPath(path, adminUrl))).toEqual(["/panel", "/panel/", "/panel/a?b=c", "/panel/b"]);
    for (const path of [
      "//evil.example/panel",
      "https://evil.example/panel",
      "/\\evil.example/panel",
      "/panelx",
      "/",
      "x:y",
      "/panel/../graphql",
      `/panel/${"a".repeat(2_048)}`,
    ]) {
      expect([path, panelPath(path, adminUrl)]).toEqual([path, "/panel"]);
    }
  });
});

describe("a session", () => {
  test("is stored as a hash", async () => {
    const visitor = await signedIn();
    const token = visitor.cookies.get("social-connect-panel") ?? "";
    const { rows } = await service.pool.query("SELECT s::text FROM admin_session s");
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("is invalid after signing out, even when its cookie is replayed", async () => {
    const visitor = await signedIn();
    const csrfToken = (await visitor.session())?.csrfToken ?? "";
    const thief = new Visitor();
    for (const [name, value] of visitor.cookies) thief.cookies.set(name, value);
    const signOut = async (headers: Record<string, string>) => (await visitor.post("/panel/sign-out", headers)).status;
    expect(await signOut({ origin: server.url })).toBe(403);
    expect(await signOut({ origin: EVIL, "x-csrf-token": csrfToken })).toBe(403);
    expect(await thief.session()).not.toBeNull();
    expect(await signOut({ origin: server.url, "x-csrf-token": csrfToken })).toBe(204);
    expect(visitor.cookies.has("social-connect-panel")).toBe(false);
    expect(await thief.session()).toBeNull();
    expect((await thief.graphql("{ adminMembers { id } }")).code).toBe("UNAUTHENTICATED");
  });

  test("ends when its admin is removed, after an hour without use and after twelve hours", async () => {
    const member = await createAdminMember(service);
    const user = await signInToPanel(server, member);
    const code = async (at = user) => (await at.query("{ adminMembers { id } }")).code;
    expect(await code()).toBeUndefined();
    await removeAdmin(service, SYSTEM, member.id);
    expect(await code()).toBe("UNAUTHENTICATED");

    const signInNew = async () => signInToPanel(server, await createAdminMember(service));
    const [idle, busy] = [await signInNew(), await signInNew()];
    for (let minutes = 0; minutes < 12 * 60; minutes += 30) {
      expect(await code(busy)).toBeUndefined();
      service.clock.advance(30 * MINUTE);
    }
    expect([await code(busy), await code(idle)]).toEqual(["UNAUTHENTICATED", "UNAUTHENTICATED"]);
    const another = await signInNew();
    service.clock.advance(60 * MINUTE - 1);
    expect(await code(another)).toBeUndefined();
    // A use soon after the last one also restarts the hour.
    service.clock.advance(MINUTE / 2);
    expect(await code(another)).toBeUndefined();
    service.clock.advance(60 * MINUTE - 1);
    expect(await code(another)).toBeUndefined();
    service.clock.advance(60 * MINUTE);
    expect(await code(another)).toBe("UNAUTHENTICATED");
  });

  test("can be used only from the panel's own pages", async () => {
    const member = await createAdminMember(service);
    const user = await signInToPanel(server, member);
    const query = "{ adminMembers { id } }";
    expect((await user.query(query)).errors).toEqual([]);
    const body = { query };
    const { cookie, csrf } = user;
    const address = `${server.url}/panel/graphql`;
    const good = { cookie, origin: server.url, "x-csrf-token": csrf };
    const key = `Bearer ${(await createApiKey(service, member, "WRITE")).key}`;
    const refused: [string, Record<string, string>][] = [
      ["FORBIDDEN", { cookie, "x-csrf-token": csrf }],
      ["FORBIDDEN", { ...good, origin: EVIL }],
      ["FORBIDDEN", { ...good, origin: "null" }],
      ["FORBIDDEN", { ...good, origin: `${server.url}/` }],
      ["FORBIDDEN", { cookie, origin: server.url }],
      ["FORBIDDEN", { ...good, "x-csrf-token": "0".repeat(64) }],
      ["FORBIDDEN", { ...good, "x-csrf-token": (await signInToPanel(server, member)).csrf }],
      ["FORBIDDEN", { ...good, authorization: key }],
      ["UNAUTHENTICATED", { origin: server.url, "x-csrf-token": csrf }],
      ["UNAUTHENTICATED", { ...good, cookie: `social-connect-panel=${"0".repeat(64)}` }],
      ["FORBIDDEN", { authorization: key }],
    ];
    for (const [code, headers] of refused) {
      const answer = await post(address, body, headers);
      expect([headers, answer.status, answer.data, answer.code]).toEqual([headers, 200, null, code]);
      const remedy =
        code === "FORBIDDEN" ? /signed-in browser\. Send an admin key to POST \/api\/admin\/graphql/ : /^Sign in/;
      expect(answer.errors[0]?.message).toMatch(remedy);
    }
    const form = await fetch(address, { method: "POST", headers: good, body: new URLSearchParams(body) });
    expect(form.status).toBe(400);
    expect((await fetch(address, { headers: good })).status).toBe(405);
    const atApi = await post(`${server.url}/api/admin/graphql`, body, { ...good, authorization: key });
    expect(atApi.code).toBe("FORBIDDEN");
  });
});

describe("a confirmation", () => {
  test("is required when the sign-in is older than five minutes, and satisfied by a new one at the issuer", async () => {
    const visitor = await signedIn();
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("MintedApiKey");
    service.clock.advance(5 * MINUTE + 1_000);
    const refused = await visitor.graphql(MINT);
    const confirmUrl = `${server.url}/panel/confirm`;
    expect(refused.data.mintApiKey).toEqual({ __typename: "ConfirmationRequiredError", confirmUrl });
    const before = visitor.cookies.get("social-connect-panel");
    const landed = await visitor.signInAtIssuer("/panel/confirm?returnTo=/panel/keys");
    expect(locationOf(landed)).toBe(`${server.url}/panel/keys`);
    expect(visitor.cookies.get("social-connect-panel")).not.toBe(before);
    expect((await visitor.graphql(MINT)).data.mintApiKey.key).toMatch(/^scadm_/);
    const listed = await visitor.graphql("{ apiKeys { items { id label } } }");
    expect(listed.text).not.toMatch(/[0-9a-f]{64}/);
  });

  test("is rejected when the issuer's auth_time is old, and the session is unchanged", async () => {
    const visitor = await signedIn();
    service.clock.advance(10 * MINUTE);
    simulator.setIssuerFaults(["stale-auth-time"]);
    expect((await visitor.signInAtIssuer("/panel/confirm")).status).toBe(502);
    expect(await visitor.session()).toMatchObject({ email: "admin@example.test" });
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("ConfirmationRequiredError");
    simulator.setIssuerFaults([]);
    expect((await visitor.signInAtIssuer("/panel/confirm")).status).toBe(303);
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("MintedApiKey");
  });

  test.each([
    [355, 303],
    [375, 502],
  ])(
    "with an auth_time %i seconds old returns %i: five minutes, and 60 seconds of clock skew",
    async (ageSeconds, status) => {
      const visitor = await signedIn();
      const back = await visitor.answerOfIssuer("/panel/confirm");
      service.clock.advance(ageSeconds * 1_000);
      expect((await visitor.get(back)).status).toBe(status);
    },
  );

  test("by another admin's account does not confirm this session", async () => {
    await addAdmin(service, SYSTEM, "admin-two@example.test");
    const visitor = await signedIn();
    service.clock.advance(10 * MINUTE);
    expect((await visitor.signInAtIssuer("/panel/confirm", "admin-two")).status).toBe(403);
    expect(await visitor.session()).toMatchObject({ email: "admin@example.test" });
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("ConfirmationRequiredError");
  });

  test.each<IssuerFault>([
    ...(["broken-signature", "no-signature", "unknown-key", "wrong-nonce", "missing-nonce", "wrong-audience"] as const),
    ...(["wrong-issuer", "wrong-response-issuer", "wrong-userinfo-subject", "expired"] as const),
  ])("is not accepted from a faulty issuer: %s", async (lie) => {
    const visitor = new Visitor();
    simulator.setIssuerFaults([lie]);
    const landed = await visitor.signInAtIssuer("/panel/sign-in");
    expect(landed.status).toBe(502);
    expect(await visitor.session()).toBeNull();
  });
});

describe("a prompt that the issuer refuses", () => {
  const promptOf = async (visitor: Visitor, path: string) =>
    new URL(locationOf(await visitor.get(path))).searchParams.get("prompt");

  test("is omitted for a day, and the page says where to sign out", async () => {
    simulator.setIssuerFaults(["refused-prompt"]);
    const visitor = new Visitor();
    const other = "/panel/sign-in?account=other&returnTo=/panel/audit";
    const refused = await visitor.get(await visitor.answerOfIssuer(other));
    expect(refused.status).toBe(502);
    const text = await refused.text();
    expect(text).toContain("did not ask for your account");
    expect(text).toContain(`Sign out at ${new URL(simulator.issuerUrl).host}`);
    expect(await promptOf(visitor, other)).toBeNull();
    // Also for another browser and another process, and the sign-in works.
    expect(await promptOf(new Visitor(), other)).toBeNull();
    const another = await startAdminServer(service, { issuer: issuerAt(simulator.issuerUrl) });
    onTestFinished(() => another.close());
    expect(await promptOf(new Visitor(), another.url + other)).toBeNull();
    expect((await new Visitor().signInAtIssuer(other)).status).toBe(303);
    simulator.setIssuerFaults([]);
    service.clock.advance(24 * 60 * MINUTE);
    expect(await promptOf(visitor, other)).toBe("select_account");
  });

  test("does not weaken a confirmation: without it, an old sign-in confirms nothing", async () => {
    const visitor = await signedIn();
    service.clock.advance(10 * MINUTE);
    simulator.setIssuerFaults(["refused-prompt"]);
    expect((await visitor.get(await visitor.answerOfIssuer("/panel/confirm"))).status).toBe(502);
    expect(await promptOf(visitor, "/panel/confirm")).toBeNull();
    const asked = new URL(locationOf(await visitor.get("/panel/confirm"))).searchParams;
    expect(asked.get("max_age")).toBe("300");
    simulator.setIssuerFaults(["refused-prompt", "stale-auth-time"]);
    expect((await visitor.signInAtIssuer("/panel/confirm")).status).toBe(502);
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("ConfirmationRequiredError");
    // Control: a new sign-in at the issuer confirms.
    simulator.setIssuerFaults(["refused-prompt"]);
    expect((await visitor.signInAtIssuer("/panel/confirm")).status).toBe(303);
    expect((await visitor.graphql(MINT)).data.mintApiKey.__typename).toBe("MintedApiKey");
  });
});

test("markup in a name is returned unchanged, as data and never as HTML", async () => {
  const { id } = await createApplication(service, "named");
  const user = await signInToPanel(server, await createAdminMember(service));
  const displayName = "</script><img src=x onerror=alert(1)>";
  const field = "setClientDisplayName(id: $id, displayName: $displayName) { displayName }";
  const answer = await user.query(`mutation($id: ID!, $displayName: String!) { ${field} }`, { id, displayName });
  expect(answer.data.setClientDisplayName.displayName).toBe(displayName);
});

test("the panel receives the name of the invalid field and the reason", async () => {
  const { id } = await createApplication(service, "fields");
  const user = await signInToPanel(server, await createAdminMember(service));
  const origin = await user.query('mutation($id: ID!) { addClientOrigin(id: $id, origin: "x") { id } }', { id });
  expect(origin.errors[0]).toMatchObject({
    message: expect.stringContaining("origin"),
    extensions: { code: "BAD_USER_INPUT", field: "origin" },
  });
  const email = await user.query(
    'mutation { addAdminMember(email: "x") { ... on InvalidInputError { message field } } }',
  );
  expect(email.data.addAdminMember).toEqual({ message: "Enter a valid email address.", field: "email" });
});

test("too many sign-ins from one address return 429 with Retry-After and write no row", async () => {
  const own = await startAdminServer(service, { issuer: server.service.issuer });
  const start = () => visit(`${own.url}/panel/sign-in`);
  const statuses = new Set<number>();
  for (let count = 0; count < SIGN_IN_STARTS; count += 1) statuses.add((await start()).status);
  expect([...statuses]).toEqual([303]);
  const before = await service.prisma.adminSignIn.count();
  const refused = await start();
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  expect(await refused.text()).toContain("Too many sign-ins");
  expect(await service.prisma.adminSignIn.count()).toBe(before);
  await own.close();
});

describe("the export of the audit log", () => {
  const CSV = "/panel/audit-export?format=csv";

  test("is a file for a signed-in admin, and recorded", async () => {
    const visitor = await signedIn();
    const { csrfToken = "" } = (await visitor.session()) ?? {};
    const response = await visitor.post(`${CSV}&action=Admin%20added`, {
      origin: server.url,
      "x-csrf-token": csrfToken,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="audit-log-2026-03-10.csv"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    const [header, ...entries] = (await response.text()).split("\r\n").slice(0, -1);
    expect(header).toContain('"at","actor"');
    expect(entries).toHaveLength(Number(response.headers.get("x-export-entries")));
    const entry = await service.prisma.auditEntry.findFirst({ where: { action: "Audit log exported" } });
    expect(entry).toMatchObject({
      actor: "admin@example.test",
      summary: expect.stringContaining("(action Admin added)"),
    });
  });

  test("is refused to other pages, without a session, and for an invalid filter; nothing is recorded", async () => {
    await service.prisma.auditEntry.deleteMany({ where: { action: "Audit log exported" } });
    const visitor = await signedIn();
    const { csrfToken = "" } = (await visitor.session()) ?? {};
    const own = { origin: server.url, "x-csrf-token": csrfToken };
    const statusOf = async (path: string, headers: Record<string, string>, by = visitor) =>
      (await by.post(path, headers)).status;
    expect(await statusOf(CSV, { ...own, origin: EVIL })).toBe(403);
    expect(await statusOf(CSV, { origin: server.url })).toBe(403);
    expect(await statusOf(CSV, own, new Visitor())).toBe(403);
    expect((await visitor.get(CSV)).headers.get("content-disposition")).toBeNull();
    for (const [query, field] of [
      ["", "format"],
      ["format=xlsx", "format"],
      ["format=csv&from=yesterday", "from"],
      ["format=csv&from=2026-01-01T00:00:00Z&to=tomorrow", "to"],
      // The list refuses the same times: before the year 1, after 9999, and times that do not exist.
      ["format=csv&from=-000001-01-01T00:00:00Z", "from"],
      ["format=csv&from=0000-06-15T00:00:00Z", "from"],
      ["format=jsonl&to=%2B275760-09-13T00:00:00.000Z", "to"],
      ["format=jsonl&to=9999-12-31T23:59:59-01:00", "to"],
      ["format=jsonl&to=2026-02-30T00:00:00Z", "to"],
      ["format=csv&from=1", "from"],
      ["format=csv&from=2026-01-01T24:00:00Z", "from"],
      [`format=csv&actor=${"a".repeat(257)}`, "actor"],
      ["format=csv&targetId=%00", "targetId"],
    ] as const) {
      const response = await visitor.post(`/panel/audit-export?${query}`, own);
      expect([query, response.status, await response.json()]).toEqual([
        query,
        400,
        { field, message: expect.stringMatching(/\.$/) },
      ]);
    }
    await service.prisma.adminSession.deleteMany();
    expect(await statusOf(CSV, own)).toBe(401);
    expect(await service.prisma.auditEntry.count({ where: { action: "Audit log exported" } })).toBe(0);
  });
});

describe("the export of the list of connections", () => {
  const send = async (visitor: Visitor, fields: Readonly<Record<string, string>>, more: object = {}) => {
    const { csrfToken = "" } = (await visitor.session()) ?? {};
    const own = { origin: server.url, "x-csrf-token": csrfToken, ...more };
    return visitor.post("/panel/connections-export", own, new URLSearchParams(fields));
  };
  const exports = () => service.prisma.auditEntry.count({ where: { action: "Connections exported" } });

  test("is a file for a signed-in admin, and recorded", async () => {
    const before = await exports();
    const filters = {
      status: "RECONNECT_REQUIRED",
      causeFrom: "2026-03-01T00:00:00Z",
      order: "SINCE",
      descending: "true",
    };
    const response = await send(await signedIn(), filters);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="connections-2026-03-10.csv"');
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.text()).toMatch(/^"externalSubjectId",[^\r]*\r\n$/);
    expect(response.headers.get("x-export-entries")).toBe("0");
    expect(await exports()).toBe(before + 1);
  });

  test("is refused to other pages, without a session, and for an invalid filter; nothing is recorded", async () => {
    const before = await exports();
    const visitor = await signedIn();
    expect((await send(visitor, {}, { origin: EVIL })).status).toBe(403);
    expect((await send(visitor, {}, { "x-csrf-token": "" })).status).toBe(403);
    for (const [fields, field] of [
      [{ clientSlug: "nobody" }, "clientSlug"],
      [{ tenantKey: "tenant-1" }, "tenantKey"],
      [{ handle: "maker" }, "handle"],
      [{ status: "LOST" }, "status"],
      [{ cause: "BORED" }, "cause"],
      [{ order: "NAME" }, "order"],
      [{ from: "yesterday" }, "from"],
      [{ externalSubjectId: "a".repeat(257) }, "externalSubjectId"],
    ] as const) {
      const response = await send(visitor, fields);
      expect([response.status, await response.json()]).toEqual([400, { field, message: expect.stringMatching(/\.$/) }]);
    }
    await service.prisma.adminSession.deleteMany();
    expect((await send(visitor, {}, { "x-csrf-token": "0" })).status).toBe(403);
    expect(await exports()).toBe(before);
  });
});

describe("the export of a person", () => {
  const SUBJECT = {
    clientSlug: "person-export",
    tenantKey: "tenant-1",
    externalSubjectId: "user-1",
    reason: "ticket 1",
  };
  const send = async (visitor: Visitor, fields: Readonly<Record<string, string>>, more: object = {}) => {
    const { csrfToken = "" } = (await visitor.session()) ?? {};
    const own = { origin: server.url, "x-csrf-token": csrfToken, ...more };
    return visitor.post("/panel/person-export", own, new URLSearchParams(fields));
  };
  const exports = () => service.prisma.auditEntry.count({ where: { action: "Person exported" } });

  test("is a file for an admin who has just signed in, and recorded without the user", async () => {
    await createApplication(service, "person-export");
    const response = await send(await signedIn(), SUBJECT);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-disposition")).toMatch(/^attachment; filename="person-[\d-]{10}\.json"$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ about: { externalSubjectId: "user-1", isStored: false } });
    const entry = await service.prisma.auditEntry.findFirstOrThrow({ where: { action: "Person exported" } });
    expect(entry).toMatchObject({ actor: "admin@example.test", summary: expect.stringMatching(/Reason: ticket 1$/) });
    expect(JSON.stringify(entry)).not.toContain("user-1");
  });

  test("is refused to other pages, for invalid input and without a recent sign-in; nothing is recorded", async () => {
    const before = await exports();
    const visitor = await signedIn();
    expect((await send(visitor, SUBJECT, { origin: EVIL })).status).toBe(403);
    expect((await send(visitor, SUBJECT, { "x-csrf-token": "" })).status).toBe(403);
    for (const [changed, field] of [
      [{ reason: "" }, "reason"],
      [{ reason: "asked by user-1" }, "reason"],
      [{ clientSlug: "nobody" }, "clientSlug"],
    ] as const) {
      const response = await send(visitor, { ...SUBJECT, ...changed });
      expect([response.status, await response.json()]).toMatchObject([400, { field }]);
    }
    service.clock.advance(301_000);
    expect((await send(visitor, SUBJECT)).status).toBe(428);
    await service.prisma.adminSession.deleteMany();
    expect((await send(visitor, SUBJECT, { "x-csrf-token": "0" })).status).toBe(403);
    expect(await exports()).toBe(before);
  });
});
