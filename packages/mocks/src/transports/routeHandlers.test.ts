import { Hono } from "hono";
import { expect, expectTypeOf, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { ask, askAdminApi, CONNECT, connectInput } from "../testing/post.ts";
import { fetchHandler, type RouteHandler, routeHandlers } from "./routeHandlers.ts";

const baseUrl = "http://localhost:3000/social-connect";

/** Calls a handler as a framework does, which sees its own host name. */
const through =
  (handler: RouteHandler): typeof globalThis.fetch =>
  (input, init) => {
    const request = new Request(input, init);
    const { pathname, search } = new URL(request.url);
    return handler(new Request(`http://0.0.0.0:3000${pathname}${search}`, request));
  };

const ROUTERS = {
  "route handlers of Next.js": (mock: ReturnType<typeof createConsumerMock>): RouteHandler => {
    const handlers = routeHandlers(mock);
    return (request) => {
      const handler = handlers[request.method as keyof typeof handlers];
      return handler(request);
    };
  },
  Hono: (mock: ReturnType<typeof createConsumerMock>): RouteHandler => {
    const handler = fetchHandler(mock);
    const app = new Hono().all("/social-connect/*", ({ req }) => handler(req.raw));
    return async (request) => app.fetch(request);
  },
} as const;

test.each(Object.entries(ROUTERS))(
  "%s serve the APIs, the pages and the controls below their path",
  async (_, route) => {
    const mock = createConsumerMock({ baseUrl, application: { webOrigins: ["http://localhost:3000"] } });
    const fetch = through(route(mock));
    const { data } = await ask<{ createConnectSession: { id: string; launchToken: string } }>(
      mock,
      CONNECT,
      connectInput(mock),
      { fetch },
    );
    const { id = "", launchToken = "" } = data?.createConnectSession ?? {};
    const form = (fields: Record<string, string>, headers: Record<string, string> = {}): RequestInit => ({
      method: "POST",
      body: new URLSearchParams(fields),
      headers,
      redirect: "manual",
    });
    const launched = await fetch(
      `${baseUrl}/api/connect/redeem`,
      form({ launchToken }, { origin: "http://localhost:3000" }),
    );
    const consentUrl = launched.headers.get("location") ?? "";
    expect([launched.status, consentUrl.startsWith(`${baseUrl}/__mock/providers/`)]).toEqual([303, true]);
    const cookie = (launched.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const page = await fetch(consentUrl);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Allow")]);
    const { searchParams } = new URL(consentUrl);
    const consent = { state: searchParams.get("state") ?? "", requested: searchParams.get("scope") ?? "" };
    const decided = await fetch(
      consentUrl.replace(/\/authorize.*/, "/consent"),
      form({ ...consent, decision: "allow", account: "channel-1" }),
    );
    const back = await fetch(decided.headers.get("location") ?? "", { headers: { cookie }, redirect: "manual" });
    expect(back.headers.get("location")).toContain(mock.returnUrl);
    expect(mock.connect(id).state.status).toBe("COMPLETED");
    const clock = (await (await fetch(`${baseUrl}/__mock/clock`)).json()) as { now: string };
    expect(clock.now).toBe("2026-06-15T12:00:00.000Z");
    expect((await fetch(`${baseUrl}/__mock/calls`, { method: "DELETE" })).status).toBe(200);
    expect(await (await fetch(`${baseUrl}/nothing`, { method: "HEAD" })).text()).toBe("");
    expect((await fetch(`${baseUrl}/graphql`, { method: "OPTIONS" })).status).toBe(405);
  },
);

test("the admin API works below the path", async () => {
  const mock = createConsumerMock({ baseUrl });
  const fetch = through(fetchHandler(mock));
  expect(await askAdminApi(mock, "{ adminMembers { email } }")).toMatchObject({ data: { adminMembers: [{}] } });
  const { data } = await ask(
    mock,
    "{ adminMembers { email } }",
    {},
    {
      fetch,
      key: mock.admin.readKey,
      url: `${mock.admin.host}/api/admin/graphql`,
    },
  );
  expect(data).toEqual({ adminMembers: [{ email: "admin@example.test" }] });
});

test("a lost response reaches the caller as one, after the operation has run", async () => {
  const mock = createConsumerMock({ baseUrl });
  mock.faults.next("createConnectSession", { drop: "after" });
  const fetch = through(fetchHandler(mock));
  await expect(ask(mock, CONNECT, connectInput(mock), { fetch })).rejects.toThrow("closed the connection");
  expect(mock.connectAttempts()).toHaveLength(1);
});

test("the handlers have the type of a route module of Next.js", () => {
  class NextRequest extends Request {}
  type NextHandler = (request: NextRequest, context: { params: Promise<{ path: string[] }> }) => Promise<Response>;
  const handlers = routeHandlers(createConsumerMock({ baseUrl }));
  expectTypeOf(handlers.GET).toExtend<NextHandler>();
  expect(Object.keys(handlers)).toEqual(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
});
