/** How a call was answered, on real HTTP servers. */
import { CORRELATION_ID } from "@social-connect/sdk-core/testing/replies";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { ApiCall, Connection, ResponseEvent, ResponseInfo, SyncJob, WithResponse } from "./index.ts";
import { fakeClient, KEY, refusal } from "./testing/fakeApi.ts";
import { OPERATION_CALLS } from "./testing/operationCalls.ts";
import { connection, job, SESSION_WIRE, WINDOW } from "./testing/samples.ts";
import { schemaServer } from "./testing/schemaServer.ts";

const ANSWERED: ResponseInfo = {
  httpStatus: 200,
  correlationId: CORRELATION_ID,
  date: expect.any(Date),
  durationMs: expect.any(Number),
  attempts: 1,
};

describe("withResponse", () => {
  it("returns the result with its status, correlation id and duration, and sends one request", async () => {
    const { social, user, requests } = await schemaServer({
      createIdpIdentitySession: { ...SESSION_WIRE, resultProof: "proof" },
    });
    const call = user.connection("c");
    const { data, response } = await call.withResponse();
    expectTypeOf(data).toEqualTypeOf<Connection>();
    expect(data).toEqual(await call);
    expect(response).toEqual(ANSWERED);
    expect(response.durationMs).toBeGreaterThanOrEqual(0);
    expect(requests).toHaveLength(1);
    const capabilities = ["PROFILE"] as const;
    const returnUrl = "https://a.example/return";
    for (const each of [
      social.status(),
      social.readiness(),
      social.request("{ status { ok } }"),
      social.createIdpIdentitySession({ tenantKey: "t", returnUrl }),
      social.redeemIdpIdentity({ id: "i", tenantKey: "t", resultProof: "p" }),
      user.connect({ provider: "PROVIDER_A", capabilities, returnUrl }),
      user.disconnect("c"),
      user.contentItem("c", "p"),
      user.contentItem("c", "p", { select: { title: true } }),
      user.connections().page(),
      user.content("c", WINDOW).page(),
    ]) {
      expect((await each.withResponse()).response).toEqual(ANSWERED);
    }
    expect(requests).toHaveLength(12);
  });

  it("counts requests and measures the time with retries and their delays", async () => {
    const lost = new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    const { user } = fakeClient({ connection: [lost, lost, connection("c")] });
    const { response } = await user.connection("c").withResponse();
    expect(response).toEqual({ httpStatus: 200, correlationId: undefined, durationMs: 375, attempts: 3 });
  });

  it("rejects as the call does, and leaves no unhandled rejection", async () => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => void rejections.push(reason);
    process.on("unhandledRejection", note);
    try {
      const { user } = fakeClient({ connection: refusal("NOT_FOUND") });
      await expect(user.connection("c").withResponse()).rejects.toMatchObject({ code: "NOT_FOUND" });
      await expect(user.connection("").withResponse()).rejects.toMatchObject({ code: "MISCONFIGURED" });
      await expect(user.connection("c")).rejects.toMatchObject({ code: "NOT_FOUND" });
      // Node reports unhandled rejections after the current turn of the event loop.
      await new Promise((resolve) => setImmediate(resolve));
      expect(rejections).toEqual([]);
    } finally {
      process.off("unhandledRejection", note);
    }
  });

  it.each([
    ["missing", undefined],
    ["of another form", "7"],
    ["a part of the key", KEY.slice(0, 36)],
    ["with the key", KEY],
    ["an argument", "0190b3c4-7a1e-7c3d-9f00-0123456789ab"],
  ])("has no correlation id if the header is %s", async (_, header) => {
    const id = "0190b3c4-7a1e-7c3d-9f00-0123456789ab";
    const headers = header === undefined ? {} : { "x-correlation-id": header };
    const events: ResponseEvent[] = [];
    const hooks = { onResponse: (event: ResponseEvent) => void events.push(event) };
    const reply = Response.json({ data: { connection: connection(id) } }, { headers });
    const { user } = fakeClient({ connection: reply }, { hooks });
    const { response } = await user.connection(id).withResponse();
    expect([response.correlationId, events[0]?.correlationId]).toEqual([undefined, undefined]);
  });
});

describe("withResponse of a poller", () => {
  it("is the response of the poll, of an attempt and of a job", async () => {
    const { social, user, requests } = await schemaServer();
    const saved = user.job("c", "j").toJSON();
    for (const poller of [
      user.connectResult("s"),
      user.job("c", "j"),
      social.resume(saved),
      user.refresh("c"),
      user.lookup("c", "u"),
    ]) {
      const poll: ApiCall<unknown> = poller.poll();
      expect(await poll.withResponse()).toEqual({ data: await poll, response: ANSWERED });
    }
    expect(requests).toHaveLength(5);
  });

  it("is the response of the request that started a job, and undefined if nothing was sent", async () => {
    const { user, requests } = await schemaServer({ requestRefresh: job("QUEUED") });
    const refresh = user.refresh("c");
    const started = await refresh.start().withResponse();
    expectTypeOf(started).toEqualTypeOf<WithResponse<string, ResponseInfo | undefined>>();
    expect(started).toEqual({ data: "job-1", response: ANSWERED });
    expect(await refresh.start().withResponse()).toEqual({ data: "job-1", response: undefined });
    expect(await user.job("c", "j").start().withResponse()).toEqual({ data: "j", response: undefined });
    expect(requests).toHaveLength(1);
  });

  it("is the same for callers that share a request, with its retries", async () => {
    const lost = new TypeError("fetch failed", { cause: { code: "ECONNRESET" } });
    const { api, user } = fakeClient({ syncJob: [lost, job("RUNNING")] });
    const poller = user.job("c", "j");
    const [one, other] = await Promise.all([poller.poll().withResponse(), poller.poll().withResponse()]);
    expectTypeOf(one).toEqualTypeOf<WithResponse<SyncJob>>();
    expect(one).toMatchObject({ data: { status: "RUNNING" }, response: { httpStatus: 200, attempts: 2 } });
    expect(other).toEqual(one);
    expect(api.calls).toHaveLength(2);
  });

  it("rejects as the poll does", async () => {
    const { user } = fakeClient({ requestRefresh: refusal("FORBIDDEN") });
    const refresh = user.refresh("c");
    await expect(refresh.start().withResponse()).rejects.toMatchObject({ code: "FORBIDDEN" });
    await expect(refresh.poll().withResponse()).rejects.toMatchObject({ code: "FORBIDDEN" });
  });
});

it("hooks receive the correlation id of successful requests", async () => {
  const events: ResponseEvent[] = [];
  const hooks = { onResponse: (event: ResponseEvent) => void events.push(event) };
  const { social, user } = await schemaServer({}, { hooks });
  await OPERATION_CALLS.connection.run(social, user);
  await OPERATION_CALLS.content.run(social, user);
  await social.request("{ a: status { ok } b: status { ok } }");
  expect(events.map(({ operation, outcome, correlationId }) => [operation, outcome, correlationId])).toEqual([
    ["connection", "OK", CORRELATION_ID],
    ["content", "OK", CORRELATION_ID],
    ["request", "OK", CORRELATION_ID],
  ]);
});
