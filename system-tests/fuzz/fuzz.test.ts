import { type AddressInfo, createServer } from "node:net";
import { brotliCompressSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { TEXT } from "./arbitraries.ts";
import { WRITING } from "./httpRequest.ts";
import { judgeAnswer } from "./judge.ts";
import { type Answer, send } from "./send.ts";

const CORRELATION = "00000000-0000-4000-8000-000000000000";
const WHOLE = { bytes: Buffer.alloc(0), isWellFormed: true };
const BROKEN = { bytes: Buffer.alloc(0), isWellFormed: false };

const answer = (status: number | null, body = "{}"): Answer => ({
  status,
  text: status === null ? "" : `HTTP/1.1 ${status} X\r\na: b\r\n\r\n${body}`,
  elapsedMs: 1,
});
const failure = (message: string, count = 1) =>
  JSON.stringify({
    errors: Array.from({ length: count }, () => ({ message, extensions: { code: "X", correlationId: CORRELATION } })),
  });
const judge = (name: string, request: typeof WHOLE, given: Answer) => judgeAnswer(name, request, given, ["the-secret"]);

test.each([
  ["a status of 500", judge("launch", WHOLE, answer(500))],
  ["no answer to a whole request", judge("launch", WHOLE, answer(null))],
  ["a stack", judge("launch", WHOLE, answer(400, "Error: x\n    at run (file.ts:1:2)"))],
  ["a statement", judge("launch", WHOLE, answer(400, "SELECT 1"))],
  ["a secret", judge("launch", BROKEN, answer(200, "it is the-secret"))],
  ["an answer that is not JSON", judge("consumer", WHOLE, answer(200, "<html>"))],
  ["an answer without data and errors", judge("consumer", WHOLE, answer(200, "{}"))],
  ["an error without a code", judge("consumer", WHOLE, answer(400, '{"errors":[{"message":"x"}]}'))],
  ["two errors in a refusal", judge("admin", WHOLE, answer(400, failure("x", 2)))],
  ["a refusal of more than 2 KB", judge("admin", WHOLE, answer(400, failure("x".repeat(2_000))))],
])("%s is a violation", (_, problems) => {
  expect(problems).toHaveLength(1);
});

test.each([
  ["a page in error", judge("launch", WHOLE, answer(410, "<h1>Used</h1>"))],
  ["a refusal", judge("consumer", WHOLE, answer(400, failure("x")))],
  ["a path in a refusal", judge("consumer", WHOLE, answer(400, failure("at /schema.graphql (consumer API)")))],
  ["an answer with data", judge("consumer", WHOLE, answer(200, '{"data":{}}'))],
  ["a closed connection after broken bytes", judge("consumer", BROKEN, answer(null))],
])("%s does not count as a violation", (_, problems) => {
  expect(problems).toEqual([]);
});

test("a compressed answer is read", async () => {
  const body = brotliCompressSync("the-secret");
  const head = `HTTP/1.1 200 OK\r\nContent-Encoding: br\r\nContent-Length: ${body.length}\r\n\r\n`;
  const server = createServer((socket) => void socket.end(Buffer.concat([Buffer.from(head), body])));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { text } = await send((server.address() as AddressInfo).port, WHOLE);
  server.close();
  expect(judge("launch", WHOLE, { status: 200, text, elapsedMs: 1 })).toEqual(["the answer holds a secret"]);
});

test("one seed makes the same requests again, and another makes others", () => {
  const make = (seed: number) =>
    fc.sample(fc.tuple(TEXT, WRITING), { seed, numRuns: 50 }).map(([text, write]) => {
      const request = { method: "POST", target: "/graphql", headers: [], body: Buffer.from(text) };
      return write(request, "localhost").bytes.toString("base64");
    });
  expect(make(1)).toEqual(make(1));
  expect(make(2)).not.toEqual(make(1));
});

test("counts the time of a response, and ignores interim responses", async () => {
  const server = createServer((socket) =>
    socket.once("data", () => socket.end("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nbody")),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const { status, text, elapsedMs } = await send(port, { bytes: Buffer.from("x"), isWellFormed: true });
  expect([status, text]).toEqual([200, "HTTP/1.1 200 OK\r\n\r\nbody"]);
  expect(elapsedMs).toBeGreaterThan(0);
  await new Promise((resolve) => server.close(resolve));
});
