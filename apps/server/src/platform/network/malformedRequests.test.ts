import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpListener, listen } from "./httpListener.ts";

let listener: HttpListener;

beforeAll(async () => {
  listener = await listen(
    (request, response) => {
      request.on("error", () => undefined);
      request.resume().once("end", () => response.end("read"));
    },
    "127.0.0.1",
    0,
  );
});
afterAll(() => listener.close(1_000));

const POST = "POST /graphql HTTP/1.1\r\nHost: localhost\r\n";
const CHUNKED = `${POST}Transfer-Encoding: chunked\r\n\r\n`;
/** Unread input, for which the system resets a connection that is closed. */
const MORE = "x".repeat(300_000);

/** `end`: the client ends its side. */
const REQUESTS: readonly (readonly [name: string, status: number, text: string, end: "end" | null])[] = (
  [
    ["an invalid chunk size", 400, `${CHUNKED}zz\r\n${MORE}`],
    ["a chunk without its end", 400, `${CHUNKED}2\r\nabcd\r\n${MORE}`],
    ["an invalid trailer", 400, `${CHUNKED}1\r\na\r\n0\r\nbad trailer\0\r\n\r\n${MORE}`],
    ["long chunk extensions", 413, `${CHUNKED}2;${"e".repeat(30_000)}\r\nab\r\n${MORE}`],
    ["a body that ends too early", 400, `${POST}Content-Length: 100\r\n\r\nab`, "end"],
    ["a chunked body that ends too early", 400, `${CHUNKED}5\r\nab`, "end"],
    [
      "Content-Length with Transfer-Encoding",
      400,
      `${POST}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${MORE}`,
    ],
    ["two lengths", 400, `${POST}Content-Length: 3\r\nContent-Length: 4\r\n\r\n${MORE}`],
    ["a length with letters", 400, `${POST}Content-Length: abc\r\n\r\n${MORE}`],
    ["an unknown transfer coding", 400, `${POST}Transfer-Encoding: gzip\r\n\r\n${MORE}`],
    ["headers over the limit", 431, `${POST}X: ${"a".repeat(100_000)}\r\n\r\n${MORE}`],
    ["too many headers", 431, `${POST}${"a: b\r\n".repeat(100)}\r\n`],
    ["a hundred headers", 200, `${POST}Connection: close\r\nContent-Length: 0\r\n${"a: b\r\n".repeat(97)}\r\n`],
    ["a header without a name", 400, `${POST}: b\r\n\r\n${MORE}`],
    ["an invalid version", 400, `GET / HTTP/3.7\r\nHost: localhost\r\n\r\n${MORE}`],
    ["an invalid method", 400, `GE\0T / HTTP/1.1\r\n\r\n${MORE}`],
    ["an invalid target", 400, `GET /\0 HTTP/1.1\r\nHost: localhost\r\n\r\n${MORE}`],
    ["HTTP/2", 400, `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${MORE}`],
    ["TLS", 400, `\x16\x03\x01\x02\0${MORE}`],
    ["CONNECT", 405, `CONNECT localhost:1 HTTP/1.1\r\nHost: localhost\r\n\r\n${MORE}`],
    ["no Host", 400, "GET / HTTP/1.1\r\n\r\n"],
    ["an unknown expectation", 417, `${POST}Expect: more\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab`],
    ["an upgrade to h2c", 200, `${POST}Connection: Upgrade, close\r\nUpgrade: h2c\r\nContent-Length: 0\r\n\r\n`],
    ["garbage after a request", 400, `${POST}Content-Length: 2\r\n\r\nabGARBAGE\r\n\r\n${MORE}`],
  ] satisfies readonly (readonly [name: string, status: number, text: string, end?: "end"])[]
).map(([name, status, text, end]) => [name, status, text, end ?? null] as const);

test.each(REQUESTS)("%s is answered with %i, and the connection ends without a reset", async (_, status, text, end) => {
  const { answer, error } = await exchange(text, end === "end");
  expect(error).toBeNull();
  expect(answer.split("\r\n", 1)[0]).toContain(` ${status} `);
});

test("the control: a proper request is answered", async () => {
  const { answer } = await exchange(`${POST}Connection: close\r\nContent-Length: 2\r\n\r\nab`, false);
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*read/);
});

/** Sends a text and reads until the server ends the connection. */
function exchange(text: string, end: boolean): Promise<{ readonly answer: string; readonly error: string | null }> {
  return new Promise((resolve) => {
    let answer = "";
    let error: string | null = null;
    const socket = connect(Number(new URL(listener.address).port), "127.0.0.1", () => {
      socket.write(text, "latin1");
      if (end) socket.end();
    });
    socket.on("data", (chunk) => {
      answer += chunk.toString("latin1");
    });
    socket.on("error", (cause: NodeJS.ErrnoException) => {
      error = cause.code ?? "unknown";
    });
    socket.on("close", () => resolve({ answer, error }));
  });
}
