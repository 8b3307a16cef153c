import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { sampled } from "@social-connect/testkit";
import { describe, expect, test } from "vitest";
import { TRANSPORTS } from "./targets.ts";
import { type Reached, Transcript } from "./transcript.ts";

const SEED = "again";
const CLI = fileURLToPath(new URL("../cli.ts", import.meta.url));
const FLAGS = ["--conditions=@social-connect/source", "--disable-warning=ExperimentalWarning"];
/** Plain HTTP like the command, because the name of a cookie depends on it. */
const baseUrl = "http://127.0.0.1:4010";
const NOW = "2026-06-15T12:00:00.000Z";

type WithMock = (seed: string, during: (mock: Reached) => Promise<void>) => Promise<void>;

const inProcess =
  (transport: keyof typeof TRANSPORTS): WithMock =>
  async (seed, during) => {
    const { mock, fetch, close } = await TRANSPORTS[transport]({ seed, baseUrl });
    try {
      await during({ baseUrl: mock.baseUrl, fetch });
    } finally {
      await close();
    }
  };

/** Each way to a mock of a seed, open while something is done with it. */
const WAYS: Readonly<Record<string, WithMock>> = {
  fetch: inProcess("fetch"),
  MSW: inProcess("MSW"),
  "the command, in a separate process": async (seed, during) => {
    const args = [...FLAGS, CLI, "serve", "--port", "0", "--json", "--seed", seed, "--now", NOW, "--clock", "manual"];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
    const ended = once(child, "exit");
    try {
      const [line] = (await once(createInterface(child.stdout), "line")) as [string];
      const told = JSON.parse(line) as { readonly baseUrl: string };
      await during({ baseUrl: told.baseUrl, fetch: globalThis.fetch });
    } finally {
      child.kill();
      await ended;
    }
  },
  HTTP: inProcess("HTTP"),
};

async function transcriptOf(transport: string, seed: string): Promise<Transcript> {
  let transcript: Transcript | undefined;
  await WAYS[transport]?.(seed, async (mock) => {
    transcript = new Transcript(mock);
    await transcript.live();
    await transcript.leave();
  });
  if (transcript === undefined) throw new Error(`unknown transport ${transport}`);
  return transcript;
}

describe("the same seed gives the same bytes", () => {
  test.each(sampled(Object.keys(WAYS), 0, 2))("twice, by %s", async (transport) => {
    const [first, second] = [await transcriptOf(transport, SEED), await transcriptOf(transport, SEED)];
    expect(second.text === first.text, "one text is the other").toBe(true);
    expect(first.text === (await transcriptOf("fetch", SEED)).text, "and of every other transport").toBe(true);
  });

  test("a script that is long, and in which something goes wrong", async () => {
    const { lines, text } = await transcriptOf("fetch", SEED);
    expect(lines.length).toBeGreaterThan(150);
    for (const part of [
      "→ no answer",
      '"code":"UPSTREAM_UNAVAILABLE"',
      '"retryAfterSeconds":3',
      "→ 303",
      '"CONFLICT"',
    ]) {
      expect(text).toContain(part);
    }
  });

  test("different seeds have different ids, tokens and metrics", async () => {
    const [one, other] = [await transcriptOf("fetch", SEED), await transcriptOf("fetch", "another")];
    // Accounts depend on their names, not on the seed.
    const told = ({ text }: Transcript) =>
      new Set(
        text.replaceAll(/providerAccountId\\?":\\?"[^"]*"/g, "").match(/[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}/g),
      );
    const others = told(other);
    expect(told(one).size).toBeGreaterThan(200);
    expect([...told(one)].filter((value) => others.has(value))).toEqual([]);
  });

  test.each(["fetch", "HTTP"])("again after restoring a snapshot, by %s", async (transport) => {
    await WAYS[transport]?.(SEED, async (mock) => {
      const before = new Transcript(mock);
      await before.live();
      const { snapshot } = (await before.control("GET", "snapshot")) as { snapshot: string };
      const [first, second] = [new Transcript(mock), new Transcript(mock)];
      await first.leave();
      await first.control("POST", "clock/advance", { by: "40d" });
      await second.control("POST", "restore", { snapshot });
      second.lines.length = 0;
      await second.leave();
      await second.control("POST", "clock/advance", { by: "40d" });
      expect(second.text === first.text).toBe(true);
    });
  });
});
