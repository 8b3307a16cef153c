import { beforeAll, expect, onTestFinished, test } from "vitest";
import { type ServedMock, serveMock } from "../node/serve.ts";
import { runCli } from "../testing/runCli.ts";

let served: ServedMock;
beforeAll(async () => {
  served = await serveMock();
  return () => served.close();
});

test("exits with 0 without differences, with options from the environment", async () => {
  const { mock, url } = served;
  const environment = {
    SOCIAL_CONNECT_URL: url,
    SOCIAL_CONNECT_KEY: mock.key,
    SOCIAL_CONNECT_TENANT: mock.scope.tenantKey,
    SOCIAL_CONNECT_ADMIN_HOST: mock.admin.host,
    SOCIAL_CONNECT_ADMIN_KEY: mock.admin.readKey,
  };
  const { code, printed, warned } = await runCli(["drift"], { environment });
  expect({ code, printed, warned }).toEqual({
    code: 0,
    printed: expect.stringMatching(/^No differences: the schema and \d{3} cases are the same\.$/),
    warned: "",
  });
});

test("exits with 1 for differences, as text and as JSON", async () => {
  const other = await serveMock();
  onTestFinished(() => other.close());
  other.mock.faults.always("connection", { code: "RATE_LIMITED", retryAfterSeconds: 5 });
  const given = ["drift", "--url", other.url, "--key", other.mock.key];
  const words = await runCli(given);
  expect(words.code).toBe(1);
  expect(words.printed).toMatch(
    /^case +S5\.tenant\.unregistered-connection +connection with a tenant that is not registered is NOT_FOUND\. \(/m,
  );
  expect(words.printed).toContain("Skipped without a tenant: ");
  const { code, printed } = await runCli([...given, "--json"]);
  expect(code).toBe(1);
  expect(printed).not.toContain("\n");
  expect(JSON.parse(printed)).toMatchObject({ isChecked: true, hasDrift: true, schema: [] });
  expect(words.printed + printed).not.toContain(other.mock.key.slice(-20));
});

test("exits with 2 and the reason when the check fails", async () => {
  const key = `${served.mock.key.slice(0, -64)}${"0".repeat(64)}`;
  const message = `${served.url} does not accept the key.`;
  expect(await runCli(["drift", "--url", served.url], { environment: { SOCIAL_CONNECT_KEY: key } })).toEqual({
    code: 2,
    printed: "",
    warned: message,
  });
  const { code, printed } = await runCli(["drift", "--url", served.url, "--json"], {
    environment: { SOCIAL_CONNECT_KEY: key },
  });
  expect([code, JSON.parse(printed)]).toEqual([2, { isChecked: false, problem: "key", message }]);
});

test("exits with 2 when it is interrupted", async () => {
  const environment = { SOCIAL_CONNECT_URL: served.url, SOCIAL_CONNECT_KEY: served.mock.key };
  expect(await runCli(["drift"], { environment, untilStopped: async () => undefined })).toEqual({
    code: 2,
    printed: "",
    warned: "The check is incomplete: the check was stopped.",
  });
});

const KEY = `21a81845-d605-4f11-8211-84a3bbc76a5e.${"ab".repeat(32)}`;
test.each<[string, readonly string[], string]>([
  ["no address", ["--key", KEY], "Pass the sandbox"],
  ["no key", ["--url", "https://sandbox.example"], "Pass a key"],
  ["a key without its option", ["--url", "https://sandbox.example", KEY], "drift has no positional arguments"],
  ["a misspelt option with a key", ["--url", "https://sandbox.example", `--keyy=${KEY}`], "Unknown option '--keyy'"],
  ["an admin key without a host", ["--url", "https://a.example", "--key", KEY, "--admin-key", KEY], "Pass both"],
  [
    "an invalid timeout",
    ["--url", "https://a.example", "--key", KEY, "--timeout", "soon"],
    "--timeout must be a number of seconds",
  ],
])("rejects %s without repeating a key", async (_, args, said) => {
  const { code, printed, warned } = await runCli(["drift", ...args]);
  expect([code, printed]).toEqual([2, ""]);
  expect(warned).toContain(said);
  expect(warned).not.toContain("abababab");
});
