import { SocialConnectError } from "@social-connect/sdk-core";
import { expectNoneOf } from "@social-connect/sdk-core/testing/canaries";
import {
  type Behaviour,
  callsFor,
  HOSTILE_ANSWERS,
  serveHostile,
} from "@social-connect/sdk-core/testing/hostileAnswers";
import { describe, expect, it, onTestFinished } from "vitest";
import { type OperationName, REPEATING } from "./_generated/operations.ts";
import { run } from "./cli/run.ts";
import { HOST_VARIABLE, KEY_VARIABLE } from "./cli/usage.ts";
import { createAdmin } from "./createAdmin.ts";
import { BLANK, KEY } from "./testing/fakeAdmin.ts";
import { CANARY_ARGUMENTS, CHANGEABLE, callOperation } from "./testing/operationCalls.ts";

const SECRETS = [KEY, KEY.slice(KEY.indexOf(".") + 1)];
const CANARIES = [...SECRETS, ...CANARY_ARGUMENTS];

const CLIENT = { ...BLANK, ...CHANGEABLE };
const EMPTY_PAGE = { items: [], pageInfo: { endCursor: null, hasNextPage: false } };

const value =
  (fields: object): Behaviour =>
  ({ operation, good, response }) => {
    const data = { [operation]: { ...good, ...fields } };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify({ data }));
  };

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  ...Object.assign({}, ...Object.values(HOSTILE_ANSWERS)),
  "lists of the wrong type": value({ webOrigins: "x", items: {}, pageInfo: [] }),
  "lists of values that are not strings": value({ webOrigins: [7, null, {}], items: [7], pageInfo: {} }),
};

/** Writes read the client first, so those reads succeed. */
const OPERATIONS = Object.keys(REPEATING).filter((name) => name !== "adminClient") as OperationName[];

const COMMANDS = [
  [["clients", "list"]],
  [["clients", "show", "shop", "--json"]],
  [["audit", "--json"]],
  [["plan", "-f", "shop.yaml"]],
  [["apply", "-f", "shop.yaml", "--yes", "--json"]],
];

/** A server that answers the read before a write, and responds to everything else with the given behaviour. */
async function serve(behaviour: Behaviour): Promise<string> {
  const goodValue = (operation: string) =>
    /Client|create/.test(operation) && operation !== "adminClients" ? CLIENT : EMPTY_PAGE;
  const { url, close } = await serveHostile((heard) => {
    if (heard.operation === "adminClient") value({})(heard);
    else behaviour(heard);
  }, goodValue);
  onTestFinished(close);
  return url;
}

const noDelay = { now: () => 0, sleep: async (_ms: number, signal?: AbortSignal) => signal?.throwIfAborted() };

describe.each(Object.entries(BEHAVIOURS))("%s", (kind, behaviour) => {
  const index = Object.keys(BEHAVIOURS).indexOf(kind);
  it.each(callsFor([...OPERATIONS, "findClient"] as const, index))(
    "ends %s as a typed error or a result, without any part of the request",
    async (name) => {
      const host = await serve(behaviour);
      const events: unknown[] = [];
      const record = (event: unknown) => void events.push(event);
      const hooks = { onRequest: record, onResponse: record, onRetry: record };
      const admin = createAdmin({ host, key: KEY, scope: "WRITE", hooks, clock: noDelay, retries: 1 });
      const end: unknown = await (name === "findClient"
        ? admin.findClient("canary-slug-7f3a")
        : callOperation(name, admin)
      ).catch((error: unknown) => error);
      const outcome: unknown = Reflect.get(Object(end), "outcome");
      if (end instanceof Error) expect(end).toBeInstanceOf(SocialConnectError);
      else if (outcome !== undefined) expect(outcome).toBe("unknown");
      expectNoneOf(CANARIES, [end, events, admin]);
      expect(Object(end)).not.toHaveProperty("cause");
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    },
  );

  it.each(callsFor(COMMANDS, index))(
    "ends the command %j with an exit code, and without the key in its output",
    async (argv) => {
      const host = await serve(behaviour);
      const printed: string[] = [];
      const print = (text: string) => void printed.push(text);
      const exitCode = await run(argv, {
        environment: { [HOST_VARIABLE]: host, [KEY_VARIABLE]: KEY },
        print,
        printError: print,
        readFile: async () => "slug: shop\ndisplayName: Shop\n",
        writeFile: async () => undefined,
        ask: undefined,
        signal: new AbortController().signal,
        clock: noDelay,
      });
      expect(Number.isInteger(exitCode)).toBe(true);
      expectNoneOf(SECRETS, printed);
      expect(printed.join("\n")).not.toBe("");
    },
  );
});

it("times out without a response, and with an endless one", async () => {
  const behaviours: readonly Behaviour[] = [
    () => undefined,
    ({ response }) => void response.writeHead(200, { "content-type": "application/json" }).write('{"data":'),
  ];
  for (const behaviour of behaviours) {
    const host = await serve(behaviour);
    const admin = createAdmin({ host, key: KEY, scope: "READ", timeoutMs: 50, retries: 0 });
    await expect(admin.members()).rejects.toMatchObject({ name: "TimeoutError" });
  }
});

it("stops reading an endless list of clients with new cursors", async () => {
  let pages = 0;
  const fetch = async () => {
    pages += 1;
    const pageInfo = { endCursor: String(pages), hasNextPage: true };
    return Response.json({ data: { adminClients: { items: [CLIENT], pageInfo } } });
  };
  const admin = createAdmin({ host: "https://admin.example.com", key: KEY, scope: "READ", fetch });
  await expect(admin.findClient("nobody")).rejects.toMatchObject({ problem: "UNEXPECTED_SHAPE" });
});

it("control: finds the canaries", () => {
  for (const secret of SECRETS) expect(() => expectNoneOf([secret], new Error(KEY))).toThrow();
  const deep = { er: ["https://canary-origin-7f3a.example/path"] };
  expect(() => expectNoneOf(CANARY_ARGUMENTS, { deep })).toThrow();
  expectNoneOf(["canary-tenant-7f3a"], { deep });
});
