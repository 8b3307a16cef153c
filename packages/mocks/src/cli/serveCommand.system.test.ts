import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { serveMock } from "../node/serve.ts";
import { runCli } from "../testing/runCli.ts";

/** Runs a command that is stopped as soon as it serves. */
const run = (...args: readonly string[]) => runCli(args, { untilStopped: async () => undefined });

test("prints the address, the key and the control URL, as text and as JSON", async () => {
  const words = await run("serve", "--port", "0");
  expect(words).toMatchObject({ code: 0, warned: "" });
  expect(words.printed).toMatch(
    /^The mock answers at http:\/\/127\.0\.0\.1:\d+\n {2}application key {3}[0-9a-f-]{36}\./,
  );
  const { printed } = await run("serve", "--port", "0", "--json", "--tenant", "one", "--origin", "http://web:3000");
  expect(JSON.parse(printed)).toMatchObject({ tenantKeys: ["one"], webOrigins: ["http://web:3000"] });
  const url = "http://localhost:3000/events";
  const events = await run("serve", "--port", "0", "--scenario", "connected", "--event-url", url);
  expect(events.printed).toMatch(new RegExp(`^  events to {9}${url}, signed with whsec_[\\w+/]{43}=$`, "m"));
});

test("closes the server when the scenario does not exist", async () => {
  const first = await serveMock();
  const port = Number(new URL(first.url).port);
  await first.close();
  await expect(serveMock({ port, scenario: "nowhere" as never })).rejects.toThrow('"nowhere" is not a valid scenario');
  const again = await serveMock({ port });
  await again.close();
});

test.each([["help"], ["--help"], ["-h"], ["serve", "--help"], ["drift", "-h"]])(
  "%s %s shows every option",
  async (...args) => {
    const { code, printed } = await run(...args.filter((arg) => arg !== undefined));
    expect(code).toBe(0);
    for (const text of ["serve ", "drift ", "scenarios ", "--seed TEXT", "--admin-host URL"])
      expect(printed).toContain(text);
  },
);

test.each<[string, readonly string[], string]>([
  ["no command", [], "Name a command."],
  ["an unknown one", ["start"], "Unknown command start."],
  ["an unknown option", ["serve", "--prot", "1"], "Unknown option '--prot'"],
  ["an argument too many", ["serve", "4010"], "Unexpected argument '4010'"],
  ["an option for what has none", ["scenarios", "--json"], "Unknown option '--json'"],
  ["an invalid port", ["serve", "--port", "web"], "--port must be an integer between 0 and 65535."],
  ["an empty port", ["serve", "--port", ""], "--port must not be empty."],
  ["a port in another form", ["serve", "--port", "0x50"], "--port must be an integer between 0 and 65535."],
  ["a port over the largest", ["serve", "--port", "65536"], "--port must be an integer between 0 and 65535."],
  ["an empty seed", ["serve", "--seed", ""], "--seed must not be empty."],
  ["an empty host", ["serve", "--host", ""], "--host must not be empty."],
  ["an empty tenant", ["serve", "--tenant", "a", "--tenant", ""], "--tenant must not be empty."],
  ["an empty file", ["serve", "--seed-file", ""], "--seed-file must not be empty."],
  ["an invalid time", ["serve", "--now", "yesterday"], '--now: "yesterday" is not a time.'],
  ["an invalid duration", ["serve", "--per-request", "soon"], '--per-request: "soon" is not a duration.'],
  ["an invalid host name", ["serve", "--allowed-host", "http://a"], '--allowed-host: "http://a" is not a host name.'],
  [
    "an origin with a path",
    ["serve", "--origin", "http://a.example/x"],
    "--origin http://a.example/x is not an origin.",
  ],
  ["an invalid URL", ["serve", "--return-url", "connected"], "--return-url connected is not a URL."],
  [
    "an event URL of another machine",
    ["serve", "--event-url", "https://a.example/events"],
    "--event-url: A mock sends",
  ],
  ["a clock without a time", ["serve", "--clock", "manual"], "--clock requires --now."],
  ["an unknown clock", ["serve", "--now", "2026-01-01", "--clock", "fast"], "--clock must be manual or running"],
  [
    "requests that advance a running clock",
    ["serve", "--now", "2026-01-01", "--clock", "running", "--per-request", "1s"],
    "--per-request requires --clock manual.",
  ],
  ["an unknown scenario", ["serve", "--scenario", "x"], "Unknown scenario x. Scenarios: nothing-linked, "],
])("rejects %s and prints the usage", async (_, args, said) => {
  const { code, printed, warned } = await run(...args);
  expect([code, printed]).toEqual([2, ""]);
  expect(warned).toContain(said);
  expect(warned).toContain("`social-connect-mocks --help`");
});

test("reports a used port and closes the server", async () => {
  const served = await serveMock();
  onTestFinished(() => served.close());
  const { port } = new URL(served.url);
  expect(await run("serve", "--port", port)).toMatchObject({
    code: `Port ${port} of 127.0.0.1 is in use. Select another with --port, or 0 for a free port.`,
  });
});

test.each([
  [["--now", "yesterday"], '"yesterday" is not a time.'],
  [["--per-request", "soon"], '"soon" is not a duration.'],
  [["--host", "no-such-host.invalid"], "--host no-such-host.invalid is not an address of this machine."],
])("%s ends the program with what it should have been", async (args, said) => {
  const { code, output } = await program(["serve", "--port", "0", ...args]);
  expect(code).toBe(2);
  expect(output).toContain(said);
});

test("continues when its output is closed, and on signals that mean nothing to it", async () => {
  const { code, output } = await program(["serve", "--port", "0", "--json"], async (child, first) => {
    const { control } = JSON.parse(first) as { control: string };
    child.stdout?.destroy();
    const signals = ["SIGUSR1", "SIGUSR2", "SIGALRM", "SIGIO"] as const;
    for (const signal of signals) child.kill(signal);
    expect((await fetch(`${control}/clock`)).status).toBe(200);
    child.stderr?.destroy();
    for (const signal of signals) child.kill(signal);
    for (let count = 0; count < 3; count++) expect((await fetch(`${control}/clock`)).status).toBe(200);
    child.kill("SIGTERM");
  });
  expect(code, output).toBe(0);
});

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s ends it in order, with a caller still connected",
  async (signal) => {
    const { code } = await program(["serve", "--port", "0", "--json"], async (child, first) => {
      const { control } = JSON.parse(first) as { control: string };
      // The connection stays open behind the answer.
      expect((await fetch(`${control}/clock`)).status).toBe(200);
      child.kill(signal);
    });
    expect(code).toBe(0);
  },
);

/** Runs the program itself to its end, and does something once it has written its first line. */
async function program(
  args: readonly string[],
  onFirstLine: (child: ReturnType<typeof spawn>, line: string) => Promise<void> = async () => undefined,
) {
  const flags = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
  const cli = fileURLToPath(new URL("../cli.ts", import.meta.url));
  const child = spawn(process.execPath, [...flags, cli, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stderr.on("data", (part: Buffer) => {
    output += part.toString("utf8");
  });
  child.stdout.once("data", (part: Buffer) => onFirstLine(child, part.toString("utf8")));
  const [code] = await once(child, "close");
  return { code, output };
}
