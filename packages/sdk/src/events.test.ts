import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { Secret, SocialConnectError } from "@social-connect/sdk-core";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import { listening } from "@social-connect/sdk-core/testing/servers";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { EventError, type EventRequest, type ReceivedEvent, receiveEvent } from "./events.ts";
import { FORGED, STRICTER } from "./testing/forgeries.ts";
import { deliveryOf, EVENT, newSecret, secondsOf, signatureOf } from "./testing/signedEvents.ts";

const SECRET = newSecret();
const delivery = deliveryOf(SECRET);
const ID = delivery.headers["webhook-id"] ?? "";
const RECEIVED = { ...EVENT, id: ID };
const URL_OF_ENDPOINT = "https://app.example.com/events";
const requestOf = (body: string | ReadableStream | null, init: object = {}) =>
  new Request(URL_OF_ENDPOINT, { method: "POST", headers: delivery.headers, body, ...init });
const codeOf = (request: unknown, secrets: string | readonly string[] = SECRET) =>
  receiveEvent(request as EventRequest, secrets).then(
    () => "accepted",
    (error: unknown) => (EventError.is(error) ? error.code : error),
  );

describe("an event is received", () => {
  it("from a Request, with its id", async () => {
    expect(await receiveEvent(requestOf(delivery.body), SECRET)).toEqual(RECEIVED);
  });

  const entries = Object.entries(delivery.headers);
  const upper = entries.map(([name, value]) => [name.toUpperCase(), value] as const);
  it.each([
    ["Headers", new Headers(delivery.headers)],
    ["a record in any case", Object.fromEntries(upper)],
    ["a record of lists", Object.fromEntries(entries.map(([name, value]) => [name, [value]]))],
    ["a list of names and values", upper],
    ["a Map", new Map(upper)],
  ])("from %s and a raw body", async (_, headers) => {
    expect(await receiveEvent({ headers, body: delivery.body }, SECRET)).toEqual(RECEIVED);
    expect(await receiveEvent({ headers, body: Buffer.from(delivery.body) }, SECRET)).toEqual(RECEIVED);
  });

  it("from a request of node:http", async () => {
    let received: Promise<ReceivedEvent> | undefined;
    const { url, close } = await listening(
      createServer(async (incoming, response) => {
        const body = Buffer.concat(await incoming.toArray());
        received = receiveEvent({ headers: incoming.headers, body }, SECRET);
        response.end();
      }),
    );
    onTestFinished(close);
    await fetch(url, { method: "POST", ...delivery });
    expect(await received).toEqual(RECEIVED);
  });

  it("of a later type, with its data", async () => {
    const event = { type: "connection.of_tomorrow", timestamp: EVENT.timestamp, data: { list: [1] }, more: true };
    const later = deliveryOf(SECRET, { body: JSON.stringify(event) });
    const received = await receiveEvent(later, SECRET);
    expect(received).toEqual({ ...event, id: later.headers["webhook-id"] });
  });

  it("with a name in its data that JavaScript gives a meaning", async () => {
    const body = '{"type":"test","timestamp":"2026-11-30T09:00:00.000Z","data":{"__proto__":{"a":1}},"id":"its own"}';
    const named = deliveryOf(SECRET, { body });
    const received = await receiveEvent(named, SECRET);
    expect(received.id).toBe(named.headers["webhook-id"]);
    expect(Object.getPrototypeOf(received.data)).toBe(Object.prototype);
  });

  it("within five minutes of the time at which it was sent", async () => {
    const sent = Number(delivery.headers["webhook-timestamp"]);
    const at = (seconds: number) => receiveEvent(delivery, SECRET, { now: new Date((sent + seconds) * 1_000) });
    expect(await Promise.all([at(300.999), at(-300)])).toEqual([RECEIVED, RECEIVED]);
    await expect(at(301)).rejects.toMatchObject({ code: "TIMESTAMP_TOO_OLD" });
    await expect(at(-300.001)).rejects.toMatchObject({ code: "TIMESTAMP_TOO_NEW" });
  });

  it("at the time that is given", async () => {
    const now = new Date("2031-01-01T00:00:00Z");
    const early = deliveryOf(SECRET, { timestamp: secondsOf(now) });
    expect(await receiveEvent(early, SECRET, { now })).toMatchObject(EVENT);
    await expect(receiveEvent(early, SECRET)).rejects.toMatchObject({ code: "TIMESTAMP_TOO_NEW" });
    await expect(receiveEvent(early, SECRET, { now: new Date("no time") })).rejects.toBeInstanceOf(EventError);
  });
});

describe("several secrets", () => {
  const other = newSecret();
  it.each([
    ["the first", [SECRET, other]],
    ["the last", [other, newSecret(), SECRET]],
    ["a Secret", new Secret(SECRET)],
    ["one of several Secrets", [new Secret(other), new Secret(SECRET)]],
  ])("accept what %s has signed", async (_, secrets) => {
    expect(await receiveEvent(delivery, secrets)).toEqual(RECEIVED);
  });

  it("refuse what none of them has signed", async () => {
    expect(await codeOf(delivery, [other, newSecret()])).toBe("SIGNATURE_MISMATCH");
  });

  it.each([
    ["no secret", undefined],
    ["null", null],
    ["an empty list", []],
    ["a list with an empty text", [SECRET, ""]],
    ["a number", 42],
    ["a key of an application", `00000000-0000-4000-8000-000000000000.${"0a".repeat(32)}`],
    ["a line break after it", `${SECRET}\n`],
    ["a key of 8 bytes", "whsec_AAAAAAAAAAA="],
    ["base64 of a wrong length", `whsec_${"A".repeat(33)}`],
    ["too much padding", `whsec_${"A".repeat(32)}====`],
    ["a redacted Secret", String(new Secret(SECRET))],
  ])("are refused as a mistake of the receiver: %s", async (_, secret) => {
    await expect(receiveEvent(delivery, secret as string)).rejects.toMatchObject({
      code: "SECRET_INVALID",
      kind: "configuration",
    });
  });
});

describe("a request is refused", () => {
  it.each(["webhook-id", "webhook-timestamp", "webhook-signature"])("with %s twice, or without it", async (name) => {
    const { [name]: value = "", ...others } = delivery.headers;
    const twice = [...Object.entries(others), [name, value], [name.toUpperCase(), value]] as const;
    expect(await codeOf({ headers: others, body: delivery.body })).toBe("HEADER_MISSING");
    expect(await codeOf({ headers: twice, body: delivery.body })).toBe("HEADER_MISSING");
    expect(await codeOf({ headers: { ...others, [name]: [value, value] }, body: delivery.body })).toBe(
      "HEADER_MISSING",
    );
  });

  it.each([
    ["a parsed body", EVENT],
    ["no body, because nothing read it", undefined],
    ["a number", 1],
  ])("that has %s, as a mistake of the receiver", async (_, body) => {
    expect(await codeOf({ headers: delivery.headers, body })).toBe("BODY_NOT_RAW");
    await expect(receiveEvent({ headers: delivery.headers, body } as never, SECRET)).rejects.toMatchObject({
      kind: "configuration",
    });
  });

  it("whose body was read before", async () => {
    const request = requestOf(delivery.body);
    await request.json();
    expect(await codeOf(request)).toBe("BODY_NOT_RAW");
    // A clone can be read by both.
    const both = requestOf(delivery.body);
    await both.clone().json();
    expect(await receiveEvent(both, SECRET)).toEqual(RECEIVED);
  });

  it("without a body", async () => {
    expect(await codeOf(requestOf(null))).toBe("SIGNATURE_MISMATCH");
  });

  it("of more than 64 KiB, which is not read further", async () => {
    let sent = 0;
    let isCanceled = false;
    const stream = new ReadableStream({
      pull: (controller) => {
        sent += 16_384;
        controller.enqueue(new Uint8Array(16_384));
      },
      cancel: () => {
        isCanceled = true;
      },
    });
    expect(await codeOf(requestOf(stream, { duplex: "half" }))).toBe("BODY_TOO_LARGE");
    expect(sent).toBeLessThan(150_000);
    expect(isCanceled).toBe(true);
    // The control: one of 64 KiB is read.
    const size = 64 * 1_024;
    expect(await codeOf(requestOf("x".repeat(size)))).toBe("SIGNATURE_MISMATCH");
    for (const body of ["x".repeat(size + 1), "é".repeat(size - 1), new Uint8Array(size + 1)]) {
      expect(await codeOf({ headers: delivery.headers, body })).toBe("BODY_TOO_LARGE");
    }
  });

  it("with the error of its stream, if that breaks", async () => {
    const broken = new Error("The connection was closed.");
    const stream = new ReadableStream({ start: (controller) => controller.error(broken) });
    await expect(receiveEvent({ headers: delivery.headers, body: stream }, SECRET)).rejects.toBe(broken);
    const texts = new ReadableStream({ start: (controller) => controller.enqueue(delivery.body) });
    expect(await codeOf({ headers: delivery.headers, body: texts })).toBe("BODY_NOT_RAW");
  });
});

describe("an EventError", () => {
  const canary = newSecret();
  const forged = deliveryOf(SECRET, { body: JSON.stringify({ ...EVENT, canary: "canary-body" }), id: "canary-id" });
  const bad = (name: string, value: string) => ({ ...forged, headers: { ...forged.headers, [name]: value } });
  it.each([
    ["SIGNATURE_MISMATCH", forged, canary],
    ["SECRET_INVALID", forged, `${canary} `],
    ["SECRET_INVALID", forged, canary.replace("whsec_", "")],
    ["ID_INVALID", bad("webhook-id", "canary-id."), canary],
    ["TIMESTAMP_INVALID", bad("webhook-timestamp", "canary-time"), canary],
  ])("%s contains nothing of the request or the secret", async (code, request, secret) => {
    const error: unknown = await receiveEvent(request, secret).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code, problem: code, name: "EventError" });
    expectNoneOf([canary, canary.slice(6), SECRET, "canary-", signatureOf(canary, "", "", "")], error);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "EventError", code });
  });

  it.each([...new Set([...Object.values(FORGED), ...Object.values(STRICTER)].map(([code]) => code))])(
    "%s is on the list of codes",
    (code) => {
      const list = new URL("../../../docs/reference/errors/README.md", import.meta.url);
      expect(readFileSync(list, "utf8")).toContain(`\`${code}\``);
    },
  );

  it("is an error of the SDK, also for another copy of the package", () => {
    const error = new EventError("SIGNATURE_MISMATCH");
    expect([EventError.is(error), SocialConnectError.is(error), error instanceof SocialConnectError]).toEqual([
      true,
      true,
      true,
    ]);
    expect([error.kind, error.docsUrl]).toEqual(["protocol", expect.stringMatching(/#codes-of-the-sdks$/)]);
  });
});

it("the type of an event decides its data", () => {
  const describeEvent = (event: ReceivedEvent): string => {
    switch (event.type) {
      case "connection.reconnect_required":
        expectTypeOf(event.data.connectionId).toEqualTypeOf<string>();
        expectTypeOf(event.data.status).toEqualTypeOf<"RECONNECT_REQUIRED">();
        return event.data.connectionId;
      case "connect.completed":
        expectTypeOf(event.data.connectionId).toEqualTypeOf<string | null>();
        return event.data.attemptId;
      case "identity.completed":
        // @ts-expect-error it names no provider
        return event.data.provider;
      default:
        // Also of a type that this version does not know.
        return "ignored";
    }
  };
  expect(describeEvent({ ...EVENT, id: ID })).toBe("2f0e4a3c-7d4f-4c7b-9e57-0f6c2b7d1a11");
  const narrowed = (event: ReceivedEvent) => (event.type === "job.failed" ? event.data.jobId : undefined);
  expectTypeOf(narrowed).returns.toEqualTypeOf<string | undefined>();
});
