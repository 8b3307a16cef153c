import { EventEmitter, once } from "node:events";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { dirname, join, relative } from "node:path";
import { json } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { createConsumerMock } from "@social-connect/mocks";
import { serveMock } from "@social-connect/mocks/node";
import { build } from "esbuild";
import type { handle, LambdaEvent } from "hono/aws-lambda";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { startProgram } from "../../../packages/testkit/src/harness/startedProgram.ts";
import { serve } from "../../../packages/testkit/src/serve.ts";
import { Visitor } from "../../../packages/testkit/src/visitor.ts";

const ORIGIN = "https://app.example.com";

type Init = NonNullable<ConstructorParameters<typeof Request>[1]>;

type Handler = ReturnType<typeof handle>;
type Send = ConstructorParameters<typeof Visitor>[0];

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

afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});
const addresses = { webOrigins: [ORIGIN], returnUrls: [`${ORIGIN}/return`] };
const MOCK = { seed: "deployments", application: { tenantKeys: ["acme"], ...addresses } };

/** The settings of the application, and of every program that a test starts. */
function stubSettings(url: string): void {
  vi.stubEnv("SOCIAL_CONNECT_URL", url);
  vi.stubEnv("SOCIAL_CONNECT_KEY", mock.key);
  vi.stubEnv("SOCIAL_CONNECT_TENANT", "acme");
  vi.stubEnv("RETURN_URL", `${ORIGIN}/return`);
  vi.stubEnv("SESSION_SECRET", "a secret of at least thirty-two characters");
}

/** A visitor signs in, and links an account. Returns the page with its posts. */
async function linkAccount(send: Send): Promise<string> {
  const visitor = await new Visitor(send, ORIGIN).signIn();
  const launch = await visitor.post("/connect", { provider: "PROVIDER_A" });
  if (!launch.text.includes('name="launchToken"')) throw new Error(`no launch page: ${launch.text}`);
  const [id = ""] = /[0-9a-f-]{36}/.exec(decodeURIComponent(launch.headers.get("set-cookie") ?? "")) ?? [];
  mock.connect(id).complete({ account: "slow-trains" });
  const { location } = await visitor.get(`/return?ss_session_id=${id}`);
  await mock.settle();
  return (await visitor.get(String(location))).text;
}

describe("by the signature of each platform", () => {
  beforeEach(() => {
    mock = createConsumerMock(MOCK);
    vi.stubGlobal("fetch", mock.fetch);
    stubSettings(mock.baseUrl);
    vi.resetModules();
  });

  test.each(Object.entries(PLATFORMS))("on %s a user links an account, and sees its posts", async (_name, load) => {
    expect(await linkAccount(await load())).toContain("<h1>Posts of Slow trains</h1>");
  });

  test.each(Object.entries(PLATFORMS))("on %s names the setting that is missing", async (_name, load) => {
    vi.stubEnv("SESSION_SECRET", "");
    await expect(load()).rejects.toThrow("SESSION_SECRET is not set.");
  });
});

/** A folder with the packed SDK, and with the runtimes of the platforms: `pnpm consumers functions` makes it. */
const FOLDER = process.env.FUNCTIONS_FOLDER ?? "";
const installed = (path: string) => join(FOLDER, "node_modules", path);

/** Where a platform looks for its function, which finds the rest of the application in `src`. */
async function place(name: string, path: string): Promise<void> {
  const text = await readFile(join(FOLDER, "src", name), "utf8");
  const file = join(FOLDER, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text.replaceAll(' from "./', ` from "${relative(dirname(file), join(FOLDER, "src"))}/`));
}

const LAMBDA_HEADERS = {
  "content-type": "application/json",
  "lambda-runtime-aws-request-id": "8476a536-e9f4-11e8-9739-2dfe598c3fcd",
  "lambda-runtime-deadline-ms": "4102444800000",
  "lambda-runtime-invoked-function-arn": "arn:aws:lambda:us-east-2:123456789012:function:example",
};

/** A handler that AWS's own runtime calls. It asks an HTTP API for each event, and reports what the function returned. */
async function startLambda(stack: AsyncDisposableStack): Promise<Send> {
  const outfile = join(FOLDER, "lambda.mjs");
  const entryPoints = [join(FOLDER, "src", "lambda.ts")];
  await build({ entryPoints, bundle: true, platform: "node", format: "esm", outfile, logLevel: "error" });
  const calls = new EventEmitter().on("error", () => undefined);
  const asking: ServerResponse[] = [];
  const api = await serve(async (request, response) => {
    if (request.url === "/2018-06-01/runtime/invocation/next") {
      asking.push(response);
      calls.emit("asked");
      return;
    }
    const given = await json(request);
    response.writeHead(202).end();
    if (request.url?.endsWith("/response")) calls.emit("answered", given);
    else calls.emit("error", new Error(`${request.url}: ${JSON.stringify(given)}`));
  });
  stack.defer(api.close);
  const runtime = startProgram({
    name: "aws-lambda-ric",
    command: [process.execPath, installed("aws-lambda-ric/index.mjs")],
    folder: FOLDER,
    environment: {
      _HANDLER: "lambda.handler",
      LAMBDA_TASK_ROOT: FOLDER,
      AWS_LAMBDA_RUNTIME_API: new URL(api.url).host,
      AWS_LAMBDA_FUNCTION_NAME: "example",
      AWS_LAMBDA_FUNCTION_VERSION: "1",
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: "512",
      AWS_LAMBDA_LOG_GROUP_NAME: "/aws/lambda/example",
      AWS_LAMBDA_LOG_STREAM_NAME: "1",
    },
  });
  stack.defer(() => runtime.kill());
  void runtime.untilEnded().then(() => calls.emit("error", new Error(`it ended: ${runtime.output()}`)));
  const handler: Handler = async (event) => {
    if (asking.length === 0) await once(calls, "asked");
    asking.shift()?.writeHead(200, LAMBDA_HEADERS).end(JSON.stringify(event));
    const [answer] = await once(calls, "answered");
    return answer;
  };
  return (url, init) => callAsFunctionUrl(handler, url, init);
}

/** What `netlify dev` is made of, with the files of the project, which it would serve at other paths. */
async function startNetlify(stack: AsyncDisposableStack): Promise<Send> {
  await place("netlify.ts", "netlify/functions/app.ts");
  const { NetlifyDev } = await import(pathToFileURL(installed("@netlify/dev/dist/main.js")).href);
  const platform = new NetlifyDev({ projectRoot: FOLDER, edgeFunctions: { enabled: false } });
  await platform.start();
  stack.defer(() => platform.stop());
  return (url, init) => platform.handle(new Request(url, init));
}

const GUIDE = new URL("../../../docs/how-to/deploy.md", import.meta.url);

/** `vercel dev`, with what the guide says of `vercel.json` and of the folder `public`. */
async function startVercel(stack: AsyncDisposableStack): Promise<Send> {
  await place("vercel.ts", "api/index.ts");
  const [, rules = ""] = /^## Vercel$.*?^```json\n(.*?)^```$/ms.exec(await readFile(GUIDE, "utf8")) ?? [];
  await writeFile(join(FOLDER, "vercel.json"), rules);
  await mkdir(join(FOLDER, "public"), { recursive: true });
  await writeFile(join(FOLDER, "public", "robots.txt"), "");
  const platform = startProgram({
    name: "vercel dev",
    command: [
      process.execPath,
      ...[installed("vercel/dist/vc.js"), "dev", "--local", "--listen", "127.0.0.1:0"],
      ...["--queue-port", "0", "--runtime-cache-port", "0", "--schedules-port", "0"],
      ...["--global-config", join(FOLDER, "account")],
    ],
    folder: FOLDER,
    environment: { VERCEL_TELEMETRY_DISABLED: "1", NO_UPDATE_NOTIFIER: "1" },
  });
  stack.defer(() => platform.kill());
  const address = () => /Ready! Available at (\S+)/.exec(platform.output())?.[1];
  await platform.until(async () => address() !== undefined);
  const send: Send = (url, init) => fetch(url.replace(ORIGIN, String(address())), { ...init, redirect: "manual" });
  // The application's own response: a static file would come before the rewrite.
  expect((await send(`${ORIGIN}/src/app.ts`, {})).status).toBe(303);
  return send;
}

describe.runIf(FOLDER !== "")("in the runtime of each platform", () => {
  const runtimes = { "AWS Lambda": startLambda, Netlify: startNetlify, Vercel: startVercel };

  test.each(Object.entries(runtimes))("on %s a user links an account, and sees its posts", async (_name, start) => {
    await using stack = new AsyncDisposableStack();
    const served = await serveMock(MOCK);
    stack.defer(served.close);
    mock = served.mock;
    stubSettings(served.url);
    expect(await linkAccount(await start(stack))).toContain("<h1>Posts of Slow trains</h1>");
  });
});
