import { addressProblem } from "@social-connect/domain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  createEgress,
  createRegistration,
  providerAddresses,
  SYSTEM,
  startTestService,
  type TestService,
} from "../../journeys/testing/server.ts";
import type { ProviderSetup } from "./queries.ts";
import { findGaps, inputOf, type RegistrationValues } from "./registrationValues.ts";

const HOSTS = [
  ...["provider.example", "a.b.provider.example", "xn--bcher-kva.example", "PROVIDER.example", "provider.example."],
  ...[
    "bücher.example",
    "provider..example",
    "-provider.example",
    "under_score.example",
    "provider%2eexample",
    "pro\tvider.example",
  ],
  ...["localhost", "x.localhost", "localhost.", "LOCALHOST", "localhost.example", "notlocalhost"],
  ...["127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.1.", "127.255.255.254"],
  ...["0.0.0.0", "10.0.0.1", "169.254.169.254", "192.0.2.1", "192.168.257", "256.1.1.1", "1.2.3.4.5"],
  ...[
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[2001:db8::1]",
    "[2001:DB8::1]",
    "[fe80::1%25eth0]",
    "[::]",
  ],
  ...[
    "",
    "*",
    "{label}.example",
    "user@provider.example",
    "user:secret@provider.example",
    "@provider.example",
    "a@b@provider.example",
  ],
  ...[
    "provider.example\\",
    "provider\\.example",
    "provider.example\n",
    "pro\u0000vider.example",
    "１２７.0.0.1",
    "provider。example",
  ],
];
const PREFIXES = [
  "https://",
  "http://",
  "https:",
  "http:",
  "https:/",
  "http:/",
  "https:\\\\",
  "HTTPS://",
  "https:///",
  "//",
  "ftp://",
  "javascript:",
  "",
  "ht\ntps://",
];
const SUFFIXES = [
  "",
  "/",
  "/token",
  "/a/../token",
  "/a/./b",
  "/%2e%2e/token",
  "//token",
  "/a b",
  "/ü",
  "/a\\b",
  "?",
  "?key=1",
  "#",
  "#part",
  "/token?",
  "/token#",
];
const PORTS = ["", ":443", ":80", ":8443", ":", ":0", ":08443", ":65535", ":65536", ":-1", ":4a"];

/** Every prefix and port with every host, and every suffix with a few hosts. */
const VARIANTS = [
  ...new Set([
    ...PREFIXES.flatMap((prefix) => HOSTS.map((host) => `${prefix}${host}/token`)),
    ...PORTS.flatMap((port) =>
      ["https://provider.example", "http://127.0.0.1", "http://[::1]", "http://x.localhost"].map(
        (base) => `${base}${port}/token`,
      ),
    ),
    ...SUFFIXES.flatMap((suffix) =>
      ["https://provider.example", "http://localhost:4401", "http:127.0.0.1"].map((base) => base + suffix),
    ),
    `https://provider.example/${"a".repeat(2_022)}`,
    `https://provider.example/${"a".repeat(2_024)}`,
  ]),
].filter((text) => text === text.trim() && text !== "");

const GOOD = "https://provider.example/x";
const SETUP = { canRevoke: false } as unknown as ProviderSetup;
const VALUES: RegistrationValues = {
  ...{
    clientId: "client",
    clientSecret: "secret",
    authorization: GOOD,
    token: GOOD,
    revocation: "",
    api: GOOD,
    issuer: "",
  },
  capabilities: ["PROFILE"],
  scopes: { PROFILE: "profile", CONTENT_LIST: "", CONTENT_LOOKUP: "", CONTENT_METRICS: "" },
  serves: "all",
  clientIds: [],
};
const ADDRESSES = ["authorization", "token", "api", "issuer"] as const;

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

describe.each(["sandbox", "live"] as const)("in %s mode", (mode) => {
  const isAcceptedByForm = (values: RegistrationValues) =>
    Object.keys(findGaps(values, { ...SETUP, mode: mode === "live" ? "LIVE" : "SANDBOX" }, null)).length === 0;

  /** The field that the use case rejects; null if it stores the registration. Any other error fails the test. */
  async function fieldRefused(values: RegistrationValues): Promise<string | null> {
    const input = { ...inputOf(values), clientSecret: "secret", clientIds: null } as Parameters<
      typeof createRegistration
    >[3];
    try {
      const { id, addresses } = await createRegistration({ ...service, mode }, SYSTEM, "PROVIDER_C", input);
      providerAddresses.parse(addresses);
      await service.prisma.providerRegistration.delete({ where: { id } });
      return null;
    } catch (error) {
      if (error instanceof Error && "field" in error) return String(error.field);
      throw error;
    }
  }

  async function egressFailure(text: string): Promise<string | null> {
    const called: string[] = [];
    const fetch = (async (url: string | URL | Request) => {
      called.push(String(url));
      return new Response("{}");
    }) as typeof globalThis.fetch;
    try {
      await createEgress({ allowedOrigins: [text], allowLoopbackHttp: mode === "sandbox", fetch })(text);
    } catch (error) {
      if (error instanceof TypeError) return error.message;
      throw error;
    }
    expect(called).toEqual([text]);
    return null;
  }

  test(`the form, the registration and the egress check agree on ${VARIANTS.length} addresses`, {
    timeout: 120_000,
  }, async () => {
    expect(VARIANTS.length).toBeGreaterThan(700);
    let accepted = 0;
    for (const [index, text] of VARIANTS.entries()) {
      const name = ADDRESSES[index % ADDRESSES.length] ?? "token";
      const values = { ...VALUES, [name]: text };
      const form = isAcceptedByForm(values);
      expect([text, await fieldRefused(values)]).toEqual([text, form ? null : `addresses.${name}`]);
      expect([text, (await egressFailure(text)) === null]).toEqual([text, form]);
      if (form) accepted += 1;
    }
    expect(accepted).toBeGreaterThan(15);
    expect(accepted).toBeLessThan(VARIANTS.length / 4);
  });
});

test.each([
  ["http:127.0.0.1/token", "Write the address in its normal form: http://127.0.0.1/token"],
  ["http:/127.0.0.1/token", "Write the address in its normal form: http://127.0.0.1/token"],
  ["http://2130706433/token", "Write the address in its normal form: http://127.0.0.1/token"],
  ["HTTPS://Provider.example:443/token", "Write the address in its normal form: https://provider.example/token"],
  ["https:\\\\provider.example\\token", "Write the address in its normal form: https://provider.example/token"],
  ["http://x.localhost/token", "The address must be https."],
  ["https://user@provider.example", "The address must have no user name, query or fragment."],
  ["https://provider.example/token?", "The address must have no user name, query or fragment."],
  ["https://provider.example./token", "The address must have a host name that can be called."],
  ["provider.example/token", "Enter a full https address, e.g. https://provider.example/oauth."],
])("describes the error in %s", (text, problem) => {
  expect(addressProblem(text, { allowLoopbackHttp: true })).toBe(problem);
});
