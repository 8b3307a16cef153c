import { connect } from "node:net";
import { type LocalServer, rawRequest, serve } from "@social-connect/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readBody } from "./readBody.ts";

const LIMIT = 1_000;
let outcomes: (string | null)[] = [];
let whenRead: () => void;
let server: LocalServer;

beforeAll(async () => {
  server = await serve((incoming, response) => {
    readBody(incoming, LIMIT)
      .then(
        (body) => {
          outcomes.push(body?.toString() ?? null);
          response.writeHead(body === null ? 413 : 200).end();
        },
        (error: Error) => outcomes.push(error.message),
      )
      .finally(() => whenRead());
  });
});
afterAll(() => server.close());

function nextOutcome(): Promise<void> {
  outcomes = [];
  return new Promise((resolve) => {
    whenRead = resolve;
  });
}

async function send(body: Buffer, chunked: boolean, piece = 7): Promise<{ status: number; read: string | null }> {
  const read = nextOutcome();
  const headers = chunked ? {} : { "content-length": body.length };
  const chunks: Buffer[] = [];
  for (let start = 0; start < body.length; start += piece) chunks.push(body.subarray(start, start + piece));
  const { status } = await rawRequest(server.url, { method: "POST", headers, chunks });
  await read;
  return { status, read: outcomes[0] ?? null };
}

test.each([true, false])("joins the parts of a body (chunked: %s)", async (chunked) => {
  const text = "ä😀".repeat(100);
  expect(await send(Buffer.from(text), chunked)).toEqual({ status: 200, read: text });
  expect(await send(Buffer.alloc(0), chunked)).toEqual({ status: 200, read: "" });
});

test("joins a body of many pieces", async () => {
  const text = Array.from({ length: 900 }, (_, index) => index % 10).join("");
  expect(await send(Buffer.from(text), true, 1)).toEqual({ status: 200, read: text });
});

test.each([true, false])(
  "rejects a body one byte over the limit, and the response still arrives (chunked: %s)",
  async (chunked) => {
    expect(await send(Buffer.alloc(LIMIT, "a"), chunked)).toMatchObject({ status: 200 });
    expect(await send(Buffer.alloc(LIMIT + 1, "a"), chunked)).toEqual({ status: 413, read: null });
    expect(await send(Buffer.alloc(1_000 * LIMIT, "a"), chunked, LIMIT)).toEqual({ status: 413, read: null });
  },
);

test("stops reading when the caller disconnects", async () => {
  const read = nextOutcome();
  const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
  socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf", () => socket.destroy());
  await read;
  expect(outcomes).toEqual([expect.stringMatching(/aborted|disconnected/)]);
});
