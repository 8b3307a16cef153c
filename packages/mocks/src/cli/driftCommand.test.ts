import { beforeAll, expect, onTestFinished, test } from "vitest";
import type { ServedMock } from "../node/serve.ts";
import { serveMock } from "../node/serve.ts";
import { runCommand } from "./command.ts";

let served: ServedMock;
beforeAll(async () => {
  served = await serveMock();
  return () => served.close();
});

/** Runs the command as a shell would; what it wrote and how it ended. */
async function run(
  args: readonly string[],
  environment: Record<string, string> = {},
  untilStopped = () => new Promise<void>(() => undefined),
) {
  const [printed, warned]: [string[], string[]] = [[], []];
  const code = await runCommand(args, {
    print: (text) => printed.push(text),
    warn: (text) => warned.push(text),
    environment,
    untilStopped,
  });
  return { code, printed: printed.join("\n"), warned: warned.join("\n") };
}

test("ends with 0 where nothing differs, and takes all that it needs from the environment", async () => {
  const { mock, url } = served;
  const environment = {
    SOCIAL_CONNECT_URL: url,
    SOCIAL_CONNECT_KEY: mock.key,
    SOCIAL_CONNECT_TENANT: mock.scope.tenantKey,
    SOCIAL_CONNECT_ADMIN_HOST: mock.admin.host,
    SOCIAL_CONNECT_ADMIN_KEY: mock.admin.readKey,
  };
  const { code, printed, warned } = await run(["drift"], environment);
  expect({ code, printed, warned }).toEqual({
    code: 0,
    printed: expect.stringMatching(/^Nothing differs: not the schema, and none of \d{3} cases\.$/),
    warned: "",
  });
});

test("ends with 1 where something does, in lines for people and in one for programs", async () => {
  const other = await serveMock();
  onTestFinished(() => other.close());
  other.mock.faults.always("connection", { code: "RATE_LIMITED", retryAfterSeconds: 5 });
  const given = ["drift", "--url", other.url, "--key", other.mock.key];
  const words = await run(given);
  expect(words.code).toBe(1);
  expect(words.printed).toMatch(
    /^case +S5\.tenant\.unregistered-connection +connection with a tenant that is not registered is NOT_FOUND\. \(/m,
  );
  expect(words.printed).toContain("Not judged for want of a tenant: ");
  const { code, printed } = await run([...given, "--json"]);
  expect(code).toBe(1);
  expect(printed).not.toContain("\n");
  expect(JSON.parse(printed)).toMatchObject({ isChecked: true, hasDrift: true, schema: [] });
  expect(words.printed + printed).not.toContain(other.mock.key.slice(-20));
});

test("ends with 2 where it could not be checked, and says why", async () => {
  const key = `${served.mock.key.slice(0, -64)}${"0".repeat(64)}`;
  const message = `${served.url} does not take the key.`;
  expect(await run(["drift", "--url", served.url], { SOCIAL_CONNECT_KEY: key })).toEqual({
    code: 2,
    printed: "",
    warned: message,
  });
  const { code, printed } = await run(["drift", "--url", served.url, "--json"], { SOCIAL_CONNECT_KEY: key });
  expect([code, JSON.parse(printed)]).toEqual([2, { isChecked: false, problem: "key", message }]);
});

test("ends with 2 when it is stopped, and says so", async () => {
  const environment = { SOCIAL_CONNECT_URL: served.url, SOCIAL_CONNECT_KEY: served.mock.key };
  expect(await run(["drift"], environment, async () => undefined)).toEqual({
    code: 2,
    printed: "",
    warned: "Not checked: the check was stopped.",
  });
});

const KEY = `21a81845-d605-4f11-8211-84a3bbc76a5e.${"ab".repeat(32)}`;
test.each<[string, readonly string[], string]>([
  ["no address", ["--key", KEY], "Name the sandbox"],
  ["no key", ["--url", "https://sandbox.example"], "There is no key"],
  ["a key without its option", ["--url", "https://sandbox.example", KEY], "drift takes options"],
  ["a misspelt option with a key", ["--url", "https://sandbox.example", `--keyy=${KEY}`], "Unknown option '--keyy'"],
  ["half an admin side", ["--url", "https://a.example", "--key", KEY, "--admin-key", KEY], "takes both"],
  ["no time", ["--url", "https://a.example", "--key", KEY, "--timeout", "soon"], "--timeout is a number of seconds"],
])("with %s it says how it is written, and repeats no key", async (_, args, said) => {
  const { code, printed, warned } = await run(["drift", ...args]);
  expect([code, printed]).toEqual([2, ""]);
  expect(warned).toContain(said);
  expect(warned).not.toContain("abababab");
});
