import { Command } from "commander";
import { expect, test } from "vitest";
import { addClientOptions, type ClientOptions, entriesOf, entriesToAdd } from "./clientOptions.ts";
import { UsageError } from "./operator.ts";

function parse(...parameters: string[]): ClientOptions {
  return parseFor("register", ...parameters);
}

function parseFor(verb: "register" | "remove", ...parameters: string[]): ClientOptions {
  const command = addClientOptions(new Command(), verb).exitOverride();
  return command.parse(parameters, { from: "user" }).opts();
}

test("options repeat, and the origin of a return URL is registered with it", () => {
  const options = parse(
    ...["--return-url", "http://localhost:3000/connected", "--return-url", "https://app.example.com/connected?from=x"],
    ...["--origin", "http://localhost:5173", "--origin", "http://localhost:3000"],
    ...["--identity-return-url", "http://127.0.0.1:3000/signed-in", "--tenant", "acme", "--tenant", "globex"],
  );
  expect(entriesToAdd(options)).toEqual({
    origins: ["http://localhost:5173", "http://localhost:3000", "https://app.example.com", "http://127.0.0.1:3000"],
    returnUrls: ["http://localhost:3000/connected", "https://app.example.com/connected?from=x"],
    identityReturnUrls: ["http://127.0.0.1:3000/signed-in"],
    tenantKeys: ["acme", "globex"],
  });
  // Removal takes what was named, because another return URL may use the origin.
  expect(entriesOf(options).origins).toEqual(["http://localhost:5173", "http://localhost:3000"]);
  expect(entriesOf({})).toEqual({ origins: [], returnUrls: [], identityReturnUrls: [], tenantKeys: [] });
});

test.each([
  ["--origin", "http://localhost:3000/", "write http://localhost:3000, not http://localhost:3000/"],
  ["--origin", "http://localhost:3000/app", "write http://localhost:3000, not http://localhost:3000/app"],
  ["--origin", "localhost:3000", "write http://localhost:3000, not localhost:3000"],
  ["--origin", "http://app.example.com", "with https unless it is on this machine"],
  ["--origin", "", "an origin such as http://localhost:3000"],
  ["--return-url", "/connected", "a whole URL such as http://localhost:3000/connected"],
  ["--return-url", "localhost:3000/connected", "a whole URL such as http://localhost:3000/connected"],
  ["--return-url", "http://app.example.com/connected", "with https unless it is on this machine"],
  ["--return-url", "http://localhost:3000", "Write http://localhost:3000/"],
  ["--return-url", "http://localhost:3000/connected#done", "`returnUrl` must not have a fragment."],
  ["--return-url", "http://localhost:3000/connected?ss_status=1", "starts with ss_"],
  ["--identity-return-url", "https://user:pass@app.example.com/in", "without credentials"],
  ["--tenant", `it's "quoted"`, "choose a simpler one"],
  ["--return-url", "http://localhost:3000/it's?a=$b", "choose a simpler one"],
  ["--tenant", "", "`tenantKey` must have 1 to 128 characters"],
])("%s %s: the message states the remedy", (option, value, message) => {
  const refused = () => parse(option, value);
  expect(refused).toThrow(UsageError);
  expect(refused).toThrow(option);
  expect(refused).toThrow(message);
});

test("an entry that no environment file can have can be removed", () => {
  const tenant = `it's "quoted"`;
  expect(parseFor("remove", "--tenant", tenant).tenant).toEqual([tenant]);
});
