import { createServer, type RequestListener } from "node:http";
import { json as readJson } from "node:stream/consumers";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { describe, expect, it, onTestFinished } from "vitest";
import { REPEATING } from "../_generated/operations.ts";
import { SocialConnect } from "../client.ts";
import { fakeClient, KEY, notConnected, SCOPE } from "../testing/fakeApi.ts";
import { OPERATION_CALLS, OPERATION_NAMES } from "../testing/operationCalls.ts";
import { connection, SESSION_WIRE } from "../testing/samples.ts";

/** A user of a client that calls a real server on its own port. */
async function facing(listener: RequestListener, options: { timeoutMs?: number } = {}) {
  const { url, close } = await listening(createServer(listener));
  onTestFinished(close);
  const social = new SocialConnect({ baseUrl: url, key: KEY, retries: 0, ...options });
  return { user: social.forSubject(SCOPE), close };
}

const json = { "content-type": "application/json" };

describe("a request", () => {
  it("is one POST of a query and its variables to /graphql, with the key as bearer token", async () => {
    const seen: Record<string, unknown>[] = [];
    const { user } = await facing(async (request, response) => {
      const { method, url, headersDistinct } = request;
      seen.push({ method, url, headersDistinct, body: await readJson(request) });
      response.writeHead(200, json).end(JSON.stringify({ data: { connection: connection("c") } }));
    });
    expect(await user.connection("c")).toEqual(connection("c"));
    expect(seen).toHaveLength(1);
    expect(seen[0]).toMatchObject({ method: "POST", url: "/graphql" });
    expect(seen[0]?.headersDistinct).toMatchObject({
      authorization: [`Bearer ${KEY}`],
      "content-type": ["application/json"],
    });
    expect(Object.keys(Object(seen[0]?.body)).sort()).toEqual(["query", "variables"]);
  });
});

describe("the idempotency key", () => {
  const HEADER = "x-social-connect-idempotency-key";
  it.each(OPERATION_NAMES)(
    "of %s is sent only if the call must not be made twice, and is new for each call",
    async (name) => {
      const { good, run } = OPERATION_CALLS[name];
      const { social, user, api } = fakeClient({ [name]: good });
      await run(social, user);
      await run(social, user);
      const keys = api.of(name).map(({ headers }) => headers.get(HEADER));
      const isOnce = REPEATING[name] === "another";
      for (const key of keys)
        expect(key).toEqual(isOnce ? expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) : null);
      expect(new Set(keys)).toHaveLength(isOnce ? 2 : 1);
    },
  );

  it("is the same for each request of a call", async () => {
    const { user, api } = fakeClient({ createConnectSession: [notConnected(), SESSION_WIRE] });
    await user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://app.example/r" });
    const [first, second] = api.of("createConnectSession").map(({ headers }) => headers.get(HEADER));
    expect(first).toBeTruthy();
    expect(second).toBe(first);
  });

  it("is sent with a document that has such a mutation", async () => {
    const { social, api } = fakeClient({ requestContentLookup: { id: "j" } });
    const variables = { scope: SCOPE };
    await social.request(
      'mutation Own($scope: SubjectScope!) { requestContentLookup(scope: $scope, connectionId: "c", url: "https://v.example/1") { id } }',
      variables,
    );
    expect(api.calls[0]?.headers.get(HEADER)).toBeTruthy();
  });
});

describe("a response that is not from the service", () => {
  it.each([
    [301, { location: "http://127.0.0.1:1/graphql" }, "", "REDIRECTED"],
    [307, { location: "/elsewhere" }, "", "REDIRECTED"],
    [404, json, "{}", "WRONG_ADDRESS"],
    [405, { "content-type": "text/html", allow: "GET" }, "<h1>a site of files</h1>", "WRONG_ADDRESS"],
    [413, { "content-type": "text/html" }, "<h1>too large</h1>", "BODY_TOO_LARGE"],
    [200, { "content-type": "text/html" }, "<h1>hello</h1>", "NOT_JSON"],
    [200, { ...json, "content-length": "8" }, '{"data":', "NOT_JSON"],
    [200, json, '{"data":{}} and more', "NOT_JSON"],
    [200, json, "", "NOT_JSON"],
    [200, json, "[]", "NOT_JSON"],
    [200, json, "{}", "UNEXPECTED_SHAPE"],
    [200, json, '{"data":null}', "UNEXPECTED_SHAPE"],
    [200, json, '{"data":{}}', "UNEXPECTED_SHAPE"],
    [200, json, '{"data":{"other":{}}}', "UNEXPECTED_SHAPE"],
    [502, { "content-type": "text/html" }, "<h1>bad gateway</h1>", "UNEXPECTED_STATUS"],
    [403, json, '{"message":"a proxy refused"}', "UNEXPECTED_STATUS"],
  ])("%i with %o and %s throws the protocol error %s", async (status, headers, body, problem) => {
    const { user } = await facing((request, response) => {
      request.resume();
      response.writeHead(status, headers).end(body);
    });
    const failure = user.connection("c");
    await expect(failure).rejects.toMatchObject({
      name: "ProtocolError",
      problem,
      code: problem,
      operation: "connection",
    });
  });

  it("is read up to the size limit", async () => {
    const { user } = await facing((request, response) => {
      request.resume();
      response.writeHead(200, json);
      const chunk = Buffer.alloc(1024 * 1024, " ");
      const pump = () => {
        while (response.write(chunk));
        response.once("drain", pump);
      };
      response.on("error", () => undefined);
      pump();
    });
    await expect(user.connection("c")).rejects.toMatchObject({ problem: "ANSWER_TOO_LARGE" });
  });
});

describe("no response", () => {
  it("times out if the headers or the body do not arrive", async () => {
    const silent = await facing((request) => void request.resume(), { timeoutMs: 50 });
    await expect(silent.user.connection("c")).rejects.toMatchObject({ name: "TimeoutError", code: "TIMED_OUT" });
    const halting = await facing(
      (request, response) => {
        request.resume();
        response.writeHead(200, json).write('{"data":');
      },
      { timeoutMs: 50 },
    );
    await expect(halting.user.connection("c")).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it("from a refused connection reports that nothing was sent", async () => {
    const { user, close } = await facing(() => undefined);
    await close();
    await expect(user.connection("c")).rejects.toMatchObject({ systemCode: "ECONNREFUSED", mayHaveBeenSent: false });
  });

  it("from a lost connection reports that the request may have been sent", async () => {
    const { user } = await facing((request) => void request.on("data", () => request.socket.destroy()));
    await expect(user.connection("c")).rejects.toMatchObject({ name: "TransportError", mayHaveBeenSent: true });
  });

  it("because the caller aborts rejects with the caller's reason, before and during the request", async () => {
    const reason = new Error("the visitor left");
    const stop = new AbortController();
    const { user } = await facing((request) => {
      request.resume();
      stop.abort(reason);
    });
    await expect(user.connection("c", { signal: stop.signal })).rejects.toBe(reason);
    await expect(user.connection("c", { signal: stop.signal })).rejects.toBe(reason);
  });
});
