import { expect, test } from "vitest";
import { readSettings } from "./settings.ts";
import { byProvider, PROVIDER_KEYS } from "./shared/providerKeys.ts";

const client = { clientId: "app", clientSecret: "secret", redirectUris: ["http://127.0.0.1:4400/callback"] };

const PUBLIC_URLS = {
  simulator: "http://localhost:14401",
  issuer: "http://localhost:14402",
  providers: byProvider((provider) => `http://${provider}.localhost`),
};

test("defaults to the standard ports and no applications", () => {
  expect(readSettings({})).toEqual({
    port: 4401,
    issuerPort: 4402,
    providerPorts: byProvider((provider) => 4406 + PROVIDER_KEYS.indexOf(provider)),
    host: "127.0.0.1",
    clients: {},
    issuerClients: [],
    limits: {},
  });
});

test("reads all settings", () => {
  const options = readSettings({
    PROVIDER_A_PORT: "0",
    SIMULATOR_PORT: "0",
    ISSUER_PORT: "0",
    SIMULATOR_SEED: "another",
    SIMULATOR_PUBLIC_URLS: JSON.stringify(PUBLIC_URLS),
    SIMULATOR_STATE_FILE: "/tmp/state.json",
    SIMULATOR_CLIENTS: JSON.stringify({
      "provider-c": [{ ...client, deauthorizationUrl: "http://127.0.0.1:4400/gone" }],
    }),
    ISSUER_CLIENTS: JSON.stringify([client]),
    SIMULATOR_UNITS_PER_DAY: "5",
  });
  expect(options).toMatchObject({
    port: 0,
    seed: "another",
    publicUrls: PUBLIC_URLS,
    stateFile: "/tmp/state.json",
    issuerClients: [client],
    limits: { unitsPerDay: 5 },
  });
  expect(options.providerPorts?.["provider-a"]).toBe(0);
  expect(options.clients["provider-c"]?.[0]?.deauthorizationUrl).toBe("http://127.0.0.1:4400/gone");
});

test.each([
  ["SIMULATOR_PORT", "many"],
  ["SIMULATOR_PORT", "70000"],
  ["SIMULATOR_PORT", " "],
  ["SIMULATOR_PORT", "1.5"],
  ["ISSUER_PORT", "-1"],
  ["PROVIDER_B_PORT", "0x50"],
  ["SIMULATOR_UNITS_PER_DAY", "-1"],
  ["SIMULATOR_CALLS_PER_MINUTE", "many"],
  ["SIMULATOR_CALLS_PER_HOUR", "0"],
  ["ISSUER_CLIENTS", "{}"],
  ["SIMULATOR_PUBLIC_URLS", JSON.stringify({ ...PUBLIC_URLS, issuer: "http://localhost:14402/path" })],
  ["SIMULATOR_CLIENTS", "{"],
  ["SIMULATOR_CLIENTS", '{"provider-z":[]}'],
  ["PROVIDER_A_PORT", "many"],
  ["ISSUER_CLIENTS", '[{"clientId":"app"}]'],
  ["ISSUER_CLIENTS", JSON.stringify([{ ...client, redirectUris: ["javascript:alert(1)"] }])],
])("rejects %s=%s and names the variable", (name, value) => {
  expect(() => readSettings({ [name]: value })).toThrow(name);
});

test("an error states the valid numbers, and repeats no secret", () => {
  expect(() => readSettings({ ISSUER_PORT: "70000" })).toThrow("must be a port from 0 to 65535; 0 selects a free one");
  expect(() => readSettings({ SIMULATOR_CALLS_PER_HOUR: "0" })).toThrow("must be an integer from 1");
  const secret = "a-secret-in-the-wrong-place";
  for (const text of [`{${secret}`, JSON.stringify([{ ...client, redirectUris: [secret] }]), `"${secret}"`]) {
    const read = () => readSettings({ ISSUER_CLIENTS: text });
    expect(read).toThrow("ISSUER_CLIENTS");
    expect(read).not.toThrow(secret);
  }
});
