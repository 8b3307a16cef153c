import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { real, useRealService } from "../worker/testing/realTimeService.ts";
import { type ApiProcess, READINESS, startApi } from "./testing/apiProcess.ts";

useRealService();

const SMALL_HEAP = "--max-old-space-size=256";
const MEGABYTES = 40;
const PAGE = "GET /unknown HTTP/1.1\r\nHost: a\r\n\r\n";
const CALL = "POST /graphql HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}";
const REFUSED = `GET / HTTP/1.1\r\nHost: a\r\n${"a: b\r\n".repeat(101)}\r\n`;

let api: ApiProcess;
const processes = new AsyncDisposableStack();

beforeAll(async () => {
  api = await startApi(processes, real, { NODE_OPTIONS: SMALL_HEAP });
});
afterAll(() => processes.disposeAsync());

test.each([
  ["small pages on 10 connections", "", PAGE, 10],
  ["small pages on 300 connections", "", PAGE, 300],
  ["calls on 50 connections", "", CALL, 50],
  ["small pages after a refused request on 50 connections", REFUSED, PAGE, 50],
])(
  "40 MB of pipelined %s, whose responses are not read, do not end a process with a 256 MB heap",
  async (_, first, repeated, connections) => {
    const port = Number(new URL(api.url).port);
    const sockets = await sendUnread(port, first, repeated, connections);
    await answers();
    for (const socket of sockets) socket.destroy();
    await answers();
    expect(api.program.hasEnded()).toBe(false);
  },
);

test("the control: they end a process that does not bound them", async () => {
  const source =
    "const server = require('http').createServer(() => {}).listen(0, '127.0.0.1', () => process.send(server.address().port))";
  const child = spawn(process.execPath, [SMALL_HEAP, "-e", source], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  try {
    const [port] = (await once(child, "message")) as [number];
    const ended = once(child, "exit");
    await Promise.race([ended, sendUnread(port, "", PAGE, 10)]);
    await ended;
    expect(child.signalCode ?? child.exitCode).not.toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

/** Other callers are answered. */
async function answers(): Promise<void> {
  expect(await api.status("/readyz")).toBe(200);
  expect((await api.call(READINESS)).data).not.toBeNull();
}

/** Sends as much as the server accepts of 40 MB, and reads nothing. */
async function sendUnread(port: number, first: string, repeated: string, connections: number): Promise<Socket[]> {
  const part = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)));
  const parts = Math.ceil((MEGABYTES * 1_000_000) / connections / part.length);
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const socket = connect(port, "127.0.0.1").pause();
      // The server may reset the connection.
      socket.on("error", () => undefined);
      await once(socket, "connect");
      socket.write(first);
      for (let sent = 0; sent < parts && socket.writable; sent += 1) {
        socket.write(part);
        await setImmediate();
      }
      return socket;
    }),
  );
}
