import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CASES } from "../cases/all.ts";
import type { Application, Target } from "../target/target.ts";
import { conform } from "./conform.ts";
import { type Case, defineCases } from "./defineCase.ts";
import { summaryOf } from "./summary.ts";

/** A service that rejects everything except `status` with NOT_FOUND. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    const asksStatus = Buffer.concat(parts).toString().includes("{ status {");
    const error = { message: "Nothing is here.", extensions: { code: "NOT_FOUND" } };
    const body = asksStatus ? { data: { status: { ok: true, message: "up" } } } : { data: null, errors: [error] };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
});
const KEY = `00000000-0000-4000-8000-000000000000.${"ab".repeat(32)}`;
let target: Target;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const application: Application = {
    baseUrl,
    key: KEY,
    tenantKeys: ["tenant"],
    returnUrl: `${baseUrl}/return`,
    identityReturnUrl: `${baseUrl}/identity`,
    webOrigin: baseUrl,
  };
  target = { application, connectHost: baseUrl, rawSocket: true, close: async () => {} };
});
afterAll(() => server.close());

const [STATUS_CASE] = defineCases({}, (test) => {
  test("S4.status: The service is running.", async (t) => t.equal((await t.get("status", {})).ok, true, "ok"));
});

function statusCase(change: Partial<Case> = {}): Case {
  return { ...(STATUS_CASE as Case), ...change };
}

const run = (cases: Parameters<typeof conform>[1], observable: readonly string[] = ["operation:status"]) =>
  conform(target, cases, { observable, parallel: 4 });

describe("a run", () => {
  test("passes when every case passes and they see all that the contract has", async () => {
    const { green, results, unseen } = await run([statusCase()]);
    expect(green).toBe(true);
    expect(results.map((result) => result.outcome)).toEqual(["passed"]);
    expect(unseen).toEqual([]);
  });

  test("fails with a failing case and shows the expected and the actual value", async () => {
    const { green, results } = await run([
      statusCase({ run: async (t) => t.equal((await t.get("status", {})).message, "down", "the message") }),
    ]);
    expect(green).toBe(false);
    expect(results[0]?.failure).toEqual({ what: "the message", expected: "down", actual: "up" });
  });

  test("fails when no case sees a part of the contract, and names it", async () => {
    const conformance = await run([statusCase()], ["operation:status", "operation:content"]);
    expect(conformance.green).toBe(false);
    expect(conformance.unseen).toEqual(["operation:content"]);
    const summary = summaryOf([{ name: "stand-in", conformance, seconds: 1 }]);
    expect(summary).toContain("Seen by no case:\n  stand-in: operation:content");
  });

  test("does not count what a case saw that failed", async () => {
    const failing = statusCase({
      run: async (t) => {
        await t.refuses("connection", { scope: t.scope(), id: "1" }, "NOT_FOUND");
        t.holds(false, "nothing");
      },
    });
    const { unseen } = await run([statusCase({ id: "S4.other" }), failing], ["operation:status", "code:NOT_FOUND"]);
    expect(unseen).toEqual(["code:NOT_FOUND"]);
  });

  test("fails when a case compared nothing", async () => {
    const { results } = await run([statusCase({ run: async (t) => void (await t.call("status", {})) })]);
    expect(results[0]).toMatchObject({ outcome: "failed", failure: { what: "The case compared nothing." } });
  });

  test("does not fail for a driver that the target lacks, and lists the case", async () => {
    const withDriver = statusCase({ id: "S4.clock", needs: ["clock", "operator"] });
    const { green, results } = await run([statusCase(), withDriver]);
    expect(green).toBe(true);
    expect(results.find((result) => result.id === "S4.clock")).toMatchObject({
      outcome: "skipped",
      missing: ["clock", "operator"],
    });
  });

  test("does not fail for what only a case sees that could not run", async () => {
    const { green, unseen } = await run([statusCase({ needs: ["clock"] })]);
    expect([green, unseen]).toEqual([true, []]);
  });
});

test.each(["status: no id", "S4.status without a title"])("the name %j is rejected", (name) => {
  expect(() => defineCases({}, (test) => test(name, async () => {}))).toThrow(name);
});

test("duplicate case ids are rejected", async () => {
  await expect(run([statusCase(), statusCase()])).rejects.toThrow("S4.status");
});

test("a report never contains a key, even if the service echoes it", async () => {
  const conformance = await run([
    statusCase({ run: async (t) => t.equal(`Bearer ${t.application.key}`, "nothing", "the header") }),
  ]);
  const text = summaryOf([{ name: "stand-in", conformance, seconds: 1 }]) + JSON.stringify(conformance);
  expect(text).toContain("[secret]");
  expect(text).not.toContain("ab".repeat(32));
});

test("cases that hold the same lock never run concurrently", async () => {
  let inside = 0;
  let most = 0;
  const holding = (id: string) =>
    statusCase({
      id,
      holds: ["account"],
      run: async (t) => {
        inside += 1;
        most = Math.max(most, inside);
        t.value(await t.call("status", {}));
        inside -= 1;
      },
    });
  await run(["S4.one", "S4.two", "S4.three"].map(holding));
  expect(most).toBe(1);
});

describe("the suite itself", () => {
  test("has a unique id for every case, starting with its part", () => {
    expect(CASES.filter((one) => !one.id.startsWith(`S${one.part}.`)).map((one) => one.id)).toEqual([]);
    expect(new Set(CASES.map((one) => one.id)).size).toBe(CASES.length);
  });
});

describe("a target inside this process", () => {
  test("is reached only through its own transport, including pages", async () => {
    const asked: string[] = [];
    const inside: Target = {
      ...target,
      rawSocket: false,
      fetch: async (input) => {
        asked.push(String(input));
        return Response.json({ data: { status: { ok: true, message: "within" } } });
      },
    };
    const { results } = await conform(
      inside,
      [
        statusCase({
          run: async (t) => {
            t.equal((await t.get("status", {})).message, "within", "the answer");
            await t.browser().get("http://nobody.invalid/page");
          },
        }),
      ],
      { observable: [], parallel: 1 },
    );
    expect(results.map((result) => result.failure)).toEqual([undefined]);
    expect(asked).toEqual([`${target.application.baseUrl}/graphql`, "http://nobody.invalid/page"]);
  });

  test("advances between two polls of a waiting case, and times out in the end", async () => {
    let steps = 0;
    const settling: Target = {
      ...target,
      settle: async () => {
        steps += 1;
      },
    };
    const waits = (id: string, until: number) =>
      statusCase({
        id,
        run: async (t) => {
          t.value(await t.call("status", {}));
          await t.eventually(
            "so many steps",
            async () => steps,
            (seen) => seen >= until,
          );
        },
      });
    const { results } = await conform(settling, [waits("S4.three", 3), waits("S4.never", Number.POSITIVE_INFINITY)], {
      observable: [],
      parallel: 1,
    });
    expect(results.map((result) => result.outcome)).toEqual(["passed", "failed"]);
    expect(steps).toBeGreaterThan(100);
  });
});
