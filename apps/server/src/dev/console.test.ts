import { spawn } from "node:child_process";
import { once } from "node:events";
import { eventually } from "@social-connect/testkit";
import { expect, onTestFinished, test } from "vitest";
import { createConsole, logged } from "./console.ts";

test("a refused call is one readable line, without that of the security log", () => {
  const call = { code: "NOT_FOUND", correlationId: "c-1" };
  const failed = { operation: "connection", answered: "No such connection.", msg: "consumer operation failed" };
  const lines = [
    JSON.stringify({ level: "debug", ...call, ...failed }),
    JSON.stringify({ level: "warn", event: "security_log.suppressed", suppressedEvent: "api.call_refused", count: 3 }),
    ...["api.call_refused", "api.key_refused", "admin.transport_refused", "admin.operation_refused"].map((event) =>
      JSON.stringify({ level: "warn", event, ...call }),
    ),
  ];
  expect(lines.map(logged)).toEqual([
    "connection was refused: NOT_FOUND. No such connection. (correlation id c-1)",
    ...Array<null>(5).fill(null),
  ]);
});

test.each(["other", "multiple"])("a refused call without one operation (%s) names the API", (operation) => {
  const call = { operation, code: "BAD_USER_INPUT", answered: "Invalid.", correlationId: "c-1" };
  expect(logged(JSON.stringify({ level: "debug", ...call, msg: "admin operation failed" }))).toBe(
    "A call to the admin API was refused: BAD_USER_INPUT. Invalid. (correlation id c-1)",
  );
});

test("a launch from an origin that is not registered names the command that registers it", () => {
  const refused = { level: "warn", event: "connect.origin_refused", attemptId: "a-1" };
  expect(logged(JSON.stringify({ ...refused, reason: "foreign origin" }))).toContain("client add --origin URL");
  // The control: a page that sends no origin has another remedy, which its page names.
  expect(logged(JSON.stringify({ ...refused, reason: "no origin" }))).toContain('"no origin"');
});

test.each([
  { level: "warn", event: "admin.transport_refused", correlationId: null },
  { level: "warn", event: "panel.sign_in_failed" },
  { level: "error", msg: "failed to serve a page" },
])("%j is shown unchanged", (fields) => {
  const text = JSON.stringify(fields);
  expect(logged(text)).toBe(text);
});

test.each([
  [{ level: "info", responseStatus: 204, status: "SUCCEEDED" }, "204 (attempt 1, event e-1)"],
  [
    { level: "warn", responseStatus: 500, problem: "STATUS", status: "WAITING" },
    "500 (attempt 1, event e-1), and is sent again",
  ],
  [{ level: "warn", responseStatus: null, problem: "TIMEOUT", status: "FAILED" }, "TIMEOUT (attempt 1, event e-1)"],
])("an event that was sent is one readable line: %j", (fields, text) => {
  const event = { type: "connect.completed", origin: "http://localhost:3000", attempt: 1, eventId: "e-1" };
  const line = JSON.stringify({ ...event, ...fields, msg: "event delivery" });
  expect(logged(line)).toBe(`connect.completed to http://localhost:3000: ${text}`);
});

test("other debug lines and information are not shown", () => {
  for (const level of ["debug", "info"]) expect(logged(JSON.stringify({ level, msg: "started" }))).toBeNull();
});

test.each(["\u001b[2J", "\u009b1A", "\n[api] forged", "\r[dev] forged", "\u202e", "\u2028[api] forged"])(
  "text of a caller that controls a terminal is shown as text: %j",
  (text) => {
    const written: string[] = [];
    const write = (line: string) => void written.push(line);
    const shown = createConsole(false, "/data", { log: write, error: write });
    const call = { operation: `connection${text}`, code: "BAD_USER_INPUT", answered: `Unknown field "a${text}".` };
    shown.line("api", "stdout", JSON.stringify({ level: "debug", ...call, msg: "consumer operation failed" }));
    shown.line("api", "stdout", JSON.stringify({ level: "warn", event: text }));
    if (!text.startsWith("\n")) shown.line("worker", "stderr", `failed: ${text}`);
    expect(written).not.toEqual([]);
    for (const line of written) {
      expect(line).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      expect(line).toMatch(/^\[(?:api|worker)\] /);
    }
  },
);

const CONSOLE = JSON.stringify(new URL("console.ts", import.meta.url).href);
/** Ten times as many characters as may wait. */
const LINES = 40_000;

test.each(["stdout", "stderr"] as const)(
  "a reader of %s that does not read does not fill the memory, and is told once what was dropped",
  async (stream) => {
    const write = stream === "stderr" ? 'shown.line("api", "stderr", line)' : "shown.databaseRestart()";
    const program = `
      const shown = (await import(${CONSOLE})).createConsole(true, "/data");
      const line = "x".repeat(60);
      for (let count = 0; count < ${LINES}; count += 1) {
        ${write};
        if (count % 100 === 0) await new Promise(setImmediate);
      }
      process.send(process.${stream}.writableLength);
      process.on("message", () => {
        ${write};
        process.disconnect();
      });
    `;
    const child = spawn(process.execPath, [...process.execArgv, "--input-type=module", "--eval", program], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [waiting] = await once(child, "message");
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(300_000);
    let read = "";
    (child[stream] ?? expect.fail("there is no pipe")).setEncoding("utf8").on("data", (part: string) => {
      read += part;
    });
    await eventually(() => expect(read).toContain("dropped log lines"));
    child.send("end");
    await once(child, "close");
    const reports = read.split("\n").filter((line) => line.startsWith("{"));
    expect(reports).toHaveLength(1);
    const { dropped, ...report } = JSON.parse(reports[0] ?? "");
    expect(report).toMatchObject({ output: stream, reason: "slow_reader", role: "dev" });
    expect(dropped).toBeGreaterThan(LINES / 2);
  },
);
