/** Names that mean something to JavaScript are names like any other in every file, setting and request that holds names. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSettings } from "../../apps/simulator/src/settings.ts";
import { startTestSimulator, type TestSimulator } from "../../apps/simulator/src/testing/testSimulator.ts";
import { parseDeclarations } from "../../packages/admin-sdk/src/declaration/parseDeclarations.ts";
import { createConsumerMock } from "../../packages/mocks/src/mock/consumerMock.ts";
import { readSeedFile } from "../../packages/mocks/src/node/seedFile.ts";

/** Each with an ordinary name of the same form, which must have the same outcome. */
const NAMES = [
  ...["__proto__", "constructor", "prototype", "toString", "toJSON", "valueOf", "hasOwnProperty", "isPrototypeOf"],
  ...["propertyIsEnumerable", "toLocaleString", "__defineGetter__", "__lookupSetter__", "then", "length"],
].map((name) => [name, name.replace(/[a-zA-Z](?=_*$)/, "q")] as const);

interface Outcome {
  readonly isValid: boolean;
  /** With NAME for the name. */
  readonly text: string;
}

interface Reader {
  readonly read: (text: string) => unknown;
  /** NAME is replaced by the name. */
  readonly valid: readonly string[];
  readonly invalid: readonly string[];
  /** Whose validity depends on the form of the name. */
  readonly others?: readonly string[];
}

let simulator: TestSimulator;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "special-names-"));
  simulator = await startTestSimulator();
});
afterAll(async () => {
  await simulator.close();
  await rm(folder, { recursive: true });
});

const client = (name: string) => ({ clientId: name, clientSecret: name, redirectUris: ["http://localhost/r"] });

const READERS: Readonly<Record<string, Reader>> = {
  "a seed file": {
    read: async (text) => {
      const file = join(folder, "seed.yaml");
      await writeFile(file, text);
      const options = await readSeedFile(file);
      createConsumerMock({ ...options, now: "2026-03-01T09:00:00Z" });
      return options;
    },
    valid: [
      "seed: NAME",
      "application: { tenantKeys: [NAME, other] }",
      "application: { tenantKeys: [NAME] }\nconnections: [{ provider: PROVIDER_A, tenantKey: NAME, externalSubjectId: NAME }]",
      "accounts: [{ provider: PROVIDER_A, name: channel-1, posts: [{ title: NAME, description: NAME }] }]",
      "seed: &NAME x\napplication: { tenantKeys: [*NAME] }",
    ],
    invalid: [
      "NAME: 1",
      "NAME: { a: 1 }",
      "application: { NAME: 1 }",
      "application: { slug: NAME- }",
      "accounts: [{ provider: NAME, name: channel-1 }]",
      "accounts: [{ provider: PROVIDER_A, name: channel-1, NAME: 1 }]",
      "accounts: [{ provider: PROVIDER_A, name: channel-1, posts: [{ title: a, metrics: { NAME: '1' } }] }]",
      "accounts: [{ provider: PROVIDER_A, name: channel-1, posts: [{ title: a, visibility: NAME }] }]",
      "connections: [{ provider: PROVIDER_A, tenantKey: NAME }]",
      "connections: [{ provider: PROVIDER_A, status: NAME }]",
      "registrations: [{ provider: NAME }]",
      "faults: [{ operation: NAME, fault: { code: RATE_LIMITED } }]",
      "faults: [{ operation: content, fault: { code: NAME } }]",
      "faults: [{ operation: content, fault: { NAME: 1 } }]",
      "providerFaults: [{ provider: PROVIDER_A, call: NAME, status: 503 }]",
      "mode: NAME",
      "clock: NAME",
      "now: NAME",
    ],
    others: [
      "connections: [{ provider: PROVIDER_A, account: NAME }]",
      "accounts: [{ provider: PROVIDER_B, name: NAME, posts: [{ title: NAME }] }]",
      "application: { slug: NAME, testers: [NAME] }",
    ],
  },
  "a declaration": {
    read: (text) => parseDeclarations(text),
    valid: [
      "slug: shop\ndisplayName: NAME",
      "slug: shop\ntenantKeys: [NAME]",
      "slug: shop\ntenantKeys: [&NAME one]\ndisplayName: *NAME",
      "slug: shop\nreturnUrls: [{ url: 'https://shop.example/NAME', confirmedNoOnwardRedirect: true }]",
      "clients: [{ slug: shop, previewReturnPaths: [/NAME] }]",
    ],
    invalid: [
      "slug: shop\nNAME: 1",
      "NAME: { slug: shop }",
      "NAME: shop",
      "slug: { NAME: 1 }",
      "slug: shop\nproviders: [NAME]",
      "slug: shop\ncapabilities: [NAME]",
      "slug: shop\nreturnUrls: [{ NAME: x }]",
      "slug: shop\nwebOrigins: [NAME]",
      "clients: [{ slug: shop, NAME: 1 }]",
      "clients: { NAME: 1 }",
      "clients: []\nNAME: 1",
      "slug: !NAME x",
    ],
  },
  "a setting of the simulator": {
    read: (text) => readSettings(JSON.parse(text) as Record<string, string>),
    valid: [
      JSON.stringify({ SIMULATOR_SEED: "NAME", NAME: "NAME" }),
      JSON.stringify({ SIMULATOR_CLIENTS: JSON.stringify({ "provider-a": [client("NAME")] }) }),
      JSON.stringify({ ISSUER_CLIENTS: JSON.stringify([client("NAME")]) }),
    ],
    invalid: [
      JSON.stringify({ SIMULATOR_PORT: "NAME" }),
      JSON.stringify({ SIMULATOR_CLIENTS: '{"NAME":[]}' }),
      JSON.stringify({ SIMULATOR_CLIENTS: '{"provider-a":[{"NAME":1}]}' }),
      JSON.stringify({ SIMULATOR_CLIENTS: JSON.stringify({ "provider-a": [{ ...client("a"), NAME: 1 }] }) }),
      JSON.stringify({ SIMULATOR_PUBLIC_URLS: '{"NAME":1}' }),
      JSON.stringify({ ISSUER_CLIENTS: '[{"NAME":1}]' }),
    ],
  },
  "a request to the simulator's control API": {
    read: async (text) => {
      const [path = "", body = ""] = text.split(" ");
      const init = { method: "POST", body, headers: { "content-type": "application/json" } };
      const response = await simulator.call(`${simulator.simulatorUrl}/__sim${path}`, init);
      if (response.status >= 400) throw new Error(`${response.status} ${response.text}`);
      return response.status;
    },
    valid: [
      '/accounts/provider-a/unicode/posts {"title":"NAME","text":"NAME"}',
      '/faults {"provider":"provider-a","endpoint":"NAME","account":"NAME","fault":{"kind":"account-suspended"}}',
    ],
    invalid: [
      '/accounts {"provider":"NAME","name":"a"}',
      '/accounts {"provider":"provider-a","name":"a","script":"NAME"}',
      '/accounts {"provider":"provider-a","name":"a","NAME":1}',
      '/accounts/NAME/unicode/posts {"title":"a"}',
      '/accounts/provider-a/NAME/posts {"title":"a"}',
      '/accounts/provider-a/unicode/posts/NAME {"visibility":"private"}',
      '/accounts/provider-a/unicode/posts {"form":"NAME"}',
      '/accounts/provider-a/unicode/posts {"NAME":1}',
      '/accounts/provider-a/unicode/end-grant {"cause":"NAME"}',
      '/faults {"provider":"provider-a","fault":{"kind":"NAME"}}',
      '/token {"token":"NAME"}',
      '/clock {"advance":"NAME"}',
      "/NAME {}",
    ],
  },
};

test.each(
  Object.entries(READERS).flatMap(([what, reader]) => NAMES.map(([name, other]) => ({ what, reader, name, other }))),
)("in $what $name is a name like $other", async ({ reader, name, other }) => {
  const texts = [
    ...reader.valid.map((text) => ({ text, isValid: true })),
    ...reader.invalid.map((text) => ({ text, isValid: false })),
    ...(reader.others ?? []).map((text) => ({ text, isValid: null })),
  ];
  for (const { text, isValid } of texts) {
    const [got, expected] = [await outcomeOf(reader, text, name), await outcomeOf(reader, text, other)];
    expect(got, text).toEqual(expected);
    if (isValid !== null) expect(got.isValid, `${text}: ${got.text}`).toBe(isValid);
  }
});

async function outcomeOf({ read }: Reader, text: string, name: string): Promise<Outcome> {
  const named = text.replaceAll("NAME", name);
  try {
    return { isValid: true, text: JSON.stringify(await read(named)).replaceAll(name, "NAME") };
  } catch (error) {
    return { isValid: false, text: String(error).replaceAll(name, "NAME") };
  }
}
