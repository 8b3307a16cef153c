/** What an endpoint of an application can do to the service that sends it an event. */
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { type AddressInfo, createServer as createTcpServer, type Socket, type Server as TcpServer } from "node:net";
import { generate } from "selfsigned";
import { afterEach, describe, expect, test } from "vitest";
import { postToReceiver, type ReceiverOptions } from "./postToReceiver.ts";

const open: (Server | TcpServer)[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    if ("closeAllConnections" in server) server.closeAllConnections();
    server.close();
  }
});

async function listen(server: Server | TcpServer): Promise<number> {
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const receive = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listen(createServer(listener))}/events?a=b`;
/** A receiver that speaks for itself. */
const speak = async (answer: (socket: Socket) => void) => {
  const server = createTcpServer((socket) => {
    socket.on("error", () => undefined);
    socket.once("data", () => answer(socket));
  });
  return `http://127.0.0.1:${await listen(server)}/`;
};
const HEADERS = { "content-type": "application/json", "webhook-id": "0f6f6a3e-6f3c-4bb8-a7bb-3a1b7a4c7b1d" };
const post = (url: string, options: Partial<ReceiverOptions> = {}) =>
  postToReceiver(url, HEADERS, '{"type":"test"}', { allowLoopback: true, ...options });
/** Writes as fast as the reader reads, until it leaves. */
function pour(socket: Socket, chunk: string): void {
  const write = (): void => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on("drain", write);
  write();
}

describe("a receiver", () => {
  test("gets the request, and its status is the result", async () => {
    const received: unknown[] = [];
    const url = await receive((request, response) => {
      const { method, url: path, headers } = request;
      request.setEncoding("utf8").on("data", (body) => received.push({ method, path, body, ...headers }));
      request.on("end", () => response.writeHead(201).end("thanks"));
    });
    expect(await post(url)).toEqual({ status: 201, problem: null, retryAfter: null, cause: null });
    expect(received).toEqual([
      expect.objectContaining({ method: "POST", path: "/events?a=b", body: '{"type":"test"}', ...HEADERS }),
    ]);
  });

  test("that fails may say when to try again", async () => {
    const url = await receive((_, response) => response.writeHead(503, { "retry-after": "120" }).end());
    expect(await post(url)).toMatchObject({ status: 503, problem: "STATUS", retryAfter: "120" });
  });

  test("that answers 10 MB is cut off, and has the event", async () => {
    let written = 0;
    const url = await speak((socket) => {
      socket.write("HTTP/1.1 200 OK\r\nContent-Length: 10000000\r\n\r\n");
      pour(socket, "a".repeat(16_384));
      socket.on("close", () => {
        written = socket.bytesWritten;
      });
    });
    expect(await post(url)).toMatchObject({ status: 200, problem: null });
    await expect.poll(() => written).toBeGreaterThan(0);
    expect(written).toBeLessThan(10_000_000);
  });

  test("that sends its body slowly is not waited for", async () => {
    const url = await receive((_, response) => void response.writeHead(200).write("{"));
    expect(await post(url, { timeoutMs: 1_000 })).toMatchObject({ status: 200, problem: null });
  });

  test.each([
    ["never answers", (_: Socket) => undefined],
    ["sends its headers slowly", (socket: Socket) => void socket.write("HTTP/1.1 200 OK\r\nSer")],
  ])("that %s is given up", async (_, answer) => {
    expect(await post(await speak(answer), { timeoutMs: 100 })).toMatchObject({ status: null, problem: "TIMEOUT" });
  });

  test.each([
    ["a header bomb", (socket: Socket) => void socket.write(`HTTP/1.1 200 OK\r\nBomb: ${"a".repeat(100_000)}\r\n\r\n`)],
    [
      "endless headers",
      (socket: Socket) => {
        socket.write("HTTP/1.1 200 OK\r\n");
        pour(socket, "X: y\r\n".repeat(1_000));
      },
    ],
    ["endless interim responses", (socket: Socket) => pour(socket, "HTTP/1.1 103 Early Hints\r\n\r\n".repeat(1_000))],
    ["something else than HTTP", (socket: Socket) => void socket.write("220 smtp.example ESMTP\r\n")],
  ])("that sends %s is refused", async (_, answer) => {
    expect(await post(await speak(answer))).toMatchObject({ status: null, problem: "ANSWER" });
  });

  test.each([
    ["ends the connection", (socket: Socket) => void socket.end()],
    [
      "changes the protocol",
      (socket: Socket) => void socket.write("HTTP/1.1 101 X\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n"),
    ],
  ])("that %s has failed", async (_, answer) => {
    expect(await post(await speak(answer))).toMatchObject({ status: null, problem: "CONNECTION" });
  });

  test("that redirects to a metadata address is not followed", async () => {
    const location = "http://169.254.169.254/latest/meta-data";
    const url = await receive((_, response) => response.writeHead(307, { location }).end());
    expect(await post(url)).toMatchObject({ status: 307, problem: "REDIRECT" });
  });

  test("whose certificate is not trusted has failed", async () => {
    const { cert, private: key } = await generate([{ name: "commonName", value: "localhost" }]);
    const port = await listen(createTlsServer({ cert, key }, (_, response) => response.end()));
    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ status: null, problem: "TLS" });
  });

  test("that no one listens for has failed", async () => {
    const server = createTcpServer();
    const port = await listen(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await post(`http://127.0.0.1:${port}/`)).toMatchObject({
      problem: "CONNECTION",
      cause: "ECONNREFUSED",
    });
  });
});

describe("a name", () => {
  const live = { allowLoopback: false };

  test.each([
    ["private", ["10.0.0.1"]],
    ["a mapped private one", ["::ffff:10.0.0.1"]],
    ["public and private", ["1.1.1.1", "169.254.169.254"]],
    ["loopback", ["127.0.0.1"]],
  ])("with an address that is %s is refused", async (_, addresses) => {
    for (const allowLoopback of [true, false]) {
      const answer = await post("https://hooks.example/", { allowLoopback, resolve: async () => addresses });
      expect(answer).toMatchObject({ status: null, problem: "PRIVATE_ADDRESS" });
    }
  });

  test("that leads elsewhere the second time is resolved once, and only the checked address is connected to", async () => {
    const names: (string | undefined)[] = [];
    const { cert, private: key } = await generate([{ name: "commonName", value: "hooks.example" }]);
    const server = createTlsServer({ cert, key, SNICallback: (name, done) => done(null, void names.push(name)) });
    const port = await listen(server);
    const lookups: string[] = [];
    const resolve = async (name: string) => [lookups.push(name) === 1 ? "127.0.0.1" : "169.254.169.254"];
    const isPublic = (address: string) => address === "127.0.0.1";
    const answer = await post(`https://hooks.example:${port}/`, { ...live, resolve, isPublic });
    // The connection reached the first address: its certificate is refused.
    expect(answer).toMatchObject({ status: null, problem: "TLS" });
    expect(names).toEqual(["hooks.example"]);
    expect(lookups).toEqual(["hooks.example"]);
  });

  test("that has no address, or none in time, has failed", async () => {
    expect(await post("https://hooks.example/", { resolve: async () => [] })).toMatchObject({ problem: "NAME" });
    const never = { timeoutMs: 50, resolve: () => new Promise<never>(() => undefined) };
    expect(await post("https://hooks.example/", never)).toMatchObject({ problem: "TIMEOUT" });
  });

  test.each(["https://169.254.169.254/", "https://[::1]/", "http://127.0.0.1:1/", "https://localhost/"])(
    "%s is refused without a connection",
    async (url) => expect(await post(url, live)).toMatchObject({ status: null, problem: "PRIVATE_ADDRESS" }),
  );
});
