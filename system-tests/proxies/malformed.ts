/** Requests of callers that break the rules of HTTP or leave in the middle of one. */

const HEAD = "Host: HOST\r\nContent-Type: application/json\r\n";
const MORE = "x".repeat(20_000);
const post = (headers: string, body: string) => `POST /graphql HTTP/1.1\r\n${HEAD}${headers}\r\n${body}`;
const chunked = (body: string) => post("Transfer-Encoding: chunked\r\n", body);

export interface Malformed {
  readonly name: string;
  readonly text: string;
  /** The client then ends its side, resets the connection, or waits. */
  readonly then: "end" | "reset" | "wait";
}

/** `host`: the name that the proxy serves. */
export function malformedRequests(host: string): readonly Malformed[] {
  const requests: readonly (readonly [name: string, text: string, then?: Malformed["then"]])[] = [
    ["invalid chunk size", chunked(`zz\r\n${MORE}`)],
    ["chunk without its end", chunked(`2\r\nabcd\r\n${MORE}`)],
    ["invalid chunk after a valid one", chunked("5\r\nhello\r\n-1\r\n")],
    ["invalid trailer", chunked("1\r\na\r\n0\r\nbad trailer\0\r\n\r\n")],
    ["endless chunk extension", chunked(`2;${"e".repeat(60_000)}\r\nab\r\n`)],
    ["chunked body that ends too early", chunked("5\r\nab"), "end"],
    ["chunked body with a reset", chunked("5\r\nab"), "reset"],
    ["body that ends too early", post("Content-Length: 100\r\n", "ab"), "end"],
    ["upload with a reset", post("Content-Length: 60000\r\n", MORE), "reset"],
    ["slow body", post("Content-Length: 60000\r\n", "ab"), "wait"],
    ["too long a body", post("Content-Length: 90000\r\n", "x".repeat(90_000))],
    ["two lengths", post("Content-Length: 3\r\nContent-Length: 4\r\n", "abcd")],
    ["length and chunked", post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "0\r\n\r\n")],
    ["length with letters", post("Content-Length: abc\r\n", "abc")],
    ["unknown transfer coding", post("Transfer-Encoding: gzip\r\n", "abc")],
    ["GET with a malformed body", chunked("zz\r\n").replace("POST /graphql", "GET /api/connect/consent")],
    [
      "callback with a malformed body",
      chunked("5\r\nab\r\nzz").replace("POST /graphql", "GET /api/connect/callback/provider-a"),
    ],
    ["GET that resets in its body", chunked("5\r\nab").replace("POST /graphql", "GET /schema.graphql"), "reset"],
    ["long headers", post(`X: ${"a".repeat(60_000)}\r\nContent-Length: 0\r\n`, "")],
    ["many headers", post(`${"a: b\r\n".repeat(900)}Content-Length: 0\r\n`, "")],
    ["invalid version", `GET / HTTP/3.7\r\n${HEAD}\r\n`],
    ["HTTP/1.0 with chunks", chunked("zz\r\n").replace("HTTP/1.1", "HTTP/1.0")],
    ["unknown expectation", post("Expect: more\r\nContent-Length: 2\r\n", "ab")],
    ["expectation without a body", post("Expect: 100-continue\r\nContent-Length: 60000\r\n", ""), "reset"],
    [
      "upgrade to h2c",
      post(
        "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\nContent-Length: 0\r\n",
        "",
      ),
    ],
    [
      "upgrade to a WebSocket",
      post("Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\n", "ab"),
      "reset",
    ],
    ["CONNECT", `CONNECT HOST:443 HTTP/1.1\r\n${HEAD}\r\n${MORE}`],
    ["invalid percent-encoding", `GET /api/connect/%zz%E0%A4%A?state=%ff HTTP/1.1\r\n${HEAD}\r\n`],
    ["invalid UTF-8", post("Content-Length: 4\r\n", "\xff\xfe\xfd\xfc")],
    ["leaves before the response", post("Content-Length: 30\r\n", '{"query": "{ status { ok } }" }'), "reset"],
  ];
  return requests.map(([name, text, then = "end"]) => ({ name, text: text.replaceAll("HOST", host), then }));
}
