import { createConsumerMock } from "@social-connect/mocks";
import type { handle, LambdaEvent } from "hono/aws-lambda";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Visitor } from "../../../packages/testkit/src/visitor.ts";

const ORIGIN = "https://app.example.com";

type Init = NonNullable<ConstructorParameters<typeof Request>[1]>;

type Handler = ReturnType<typeof handle>;

/** Calls a handler of AWS Lambda as a function URL does: with an event of payload version 2.0, as the documentation shows one. */
async function callAsFunctionUrl(
  handler: Handler,
  url: string,
  init: { readonly method?: string; readonly headers?: Record<string, string>; readonly body?: string },
): Promise<Response> {
  const { pathname, search, host, searchParams } = new URL(url);
  const { method = "GET", headers = {}, body } = init;
  const { cookie, ...others } = headers;
  const event: LambdaEvent = {
    version: "2.0",
    routeKey: "$default",
    rawPath: pathname,
    rawQueryString: search.slice(1),
    ...(cookie === undefined ? {} : { cookies: cookie.split("; ") }),
    headers: {
      ...others,
      host,
      "x-forwarded-proto": "https",
      "x-forwarded-port": "443",
      "x-forwarded-for": "192.0.2.1",
    },
    ...(search === "" ? {} : { queryStringParameters: Object.fromEntries(searchParams) }),
    requestContext: {
      accountId: "123456789012",
      apiId: "abcdefghij",
      authentication: null,
      authorizer: {},
      domainName: host,
      domainPrefix: "abcdefghij",
      http: { method, path: pathname, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
      requestId: "id",
      routeKey: "$default",
      stage: "$default",
      time: "12/Mar/2026:19:03:58 +0000",
      timeEpoch: 1_773_342_238_000,
    },
    // The platform passes bodies of forms in Base64.
    body: body === undefined ? null : btoa(body),
    isBase64Encoded: body !== undefined,
  };
  const { statusCode, headers: sent = {}, cookies = [], body: answer, isBase64Encoded } = await handler(event);
  const response = new Headers(sent as Record<string, string>);
  for (const each of cookies) response.append("set-cookie", each);
  const isEmpty = [204, 303, 304].includes(statusCode);
  return new Response(isEmpty ? null : isBase64Encoded ? atob(answer) : answer, {
    status: statusCode,
    headers: response,
  });
}

/** How each platform calls what its file exports. */
const PLATFORMS = {
  "AWS Lambda": async () => {
    const { handler } = await import("./lambda.ts");
    return (url: string, init: object) => callAsFunctionUrl(handler, url, init);
  },
  Vercel: async () => {
    const { default: exported } = await import("./vercel.ts");
    return (url: string, init: Init) => exported.fetch(new Request(url, init));
  },
  Netlify: async () => {
    const { default: exported, config } = await import("./netlify.ts");
    expect(config).toEqual({ path: "/*" });
    return (url: string, init: Init) => exported(new Request(url, init));
  },
};

let mock: ReturnType<typeof createConsumerMock>;

beforeEach(() => {
  const addresses = { webOrigins: [ORIGIN], returnUrls: [`${ORIGIN}/return`] };
  mock = createConsumerMock({ seed: "deployments", application: { tenantKeys: ["acme"], ...addresses } });
  vi.stubGlobal("fetch", mock.fetch);
  vi.stubEnv("SOCIAL_CONNECT_URL", mock.baseUrl);
  vi.stubEnv("SOCIAL_CONNECT_KEY", mock.key);
  vi.stubEnv("SOCIAL_CONNECT_TENANT", "acme");
  vi.stubEnv("RETURN_URL", `${ORIGIN}/return`);
  vi.stubEnv("SESSION_SECRET", "a secret of at least thirty-two characters");
  vi.resetModules();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

/** A visitor signs in, and links an account. Returns the page with its posts. */
async function linkAccount(send: ConstructorParameters<typeof Visitor>[0]): Promise<string> {
  const visitor = await new Visitor(send, ORIGIN).signIn();
  const launch = await visitor.post("/connect", { provider: "PROVIDER_A" });
  if (!launch.text.includes('name="launchToken"')) throw new Error(`no launch page: ${launch.text}`);
  const [id = ""] = /[0-9a-f-]{36}/.exec(decodeURIComponent(launch.headers.get("set-cookie") ?? "")) ?? [];
  mock.connect(id).complete({ account: "slow-trains" });
  const { location } = await visitor.get(`/return?ss_session_id=${id}`);
  await mock.settle();
  return (await visitor.get(String(location))).text;
}

test.each(Object.entries(PLATFORMS))("on %s a user links an account, and sees its posts", async (_name, load) => {
  expect(await linkAccount(await load())).toContain("<h1>Posts of Slow trains</h1>");
});

test.each(Object.entries(PLATFORMS))("on %s names the setting that is missing", async (_name, load) => {
  vi.stubEnv("SESSION_SECRET", "");
  await expect(load()).rejects.toThrow("SESSION_SECRET is not set.");
});
