import { expect, test } from "vitest";
import { consentKey, MOST_LINE_BYTES, readImportLine, uniqueKeys } from "./importLine.ts";

const TOKEN = "canary-token";
const LINE = {
  provider: "PROVIDER_A",
  client: "shop",
  tenantKey: "acme",
  externalSubjectId: "user-1",
  refreshToken: TOKEN,
};
const ABSENT = { accountId: null, accessToken: null, accessTokenExpiresAt: null, refreshTokenExpiresAt: null };

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (fields: object) => readImportLine(bytes(JSON.stringify({ ...LINE, ...fields })));

test("reads a line with the fields that it needs, and with all", () => {
  expect(read({})).toEqual({ ...LINE, ...ABSENT, scopes: null, connectedAt: null });
  const times = { accessTokenExpiresAt: "2027-01-31T12:00:00Z", refreshTokenExpiresAt: "2028-01-31T12:00:00+01:00" };
  const all = { accountId: "account", accessToken: "access", ...times, scopes: ["one"], connectedAt: null };
  expect(read(all)).toMatchObject({
    accountId: "account",
    accessTokenExpiresAt: new Date("2027-01-31T12:00:00Z"),
    refreshTokenExpiresAt: new Date("2028-01-31T11:00:00Z"),
    scopes: ["one"],
  });
  expect(readImportLine(bytes(`${JSON.stringify(LINE)}\r`))).toMatchObject(LINE);
});

const json = (fields: object) => JSON.stringify({ ...LINE, ...fields });

test.each<[string, string | Uint8Array, RegExp]>([
  ["empty", "", /is empty/],
  ["with spaces only", "  \r", /is empty/],
  ["that is not JSON", json({}).slice(1), /not a JSON object/],
  ["with two objects", `${json({})}${json({})}`, /not a JSON object/],
  ["that is a list", `[${json({})}]`, /not a JSON object/],
  ["that is null", "null", /not a JSON object/],
  ["after a byte order mark", `\u{FEFF}${json({})}`, /byte order mark/],
  ["that is not UTF-8", Uint8Array.of(...bytes(json({})), 0xff), /not valid UTF-8/],
  ["with an unknown field", json({ [TOKEN]: 1 }), /The fields are provider, client/],
  ["without a provider", json({ provider: null }), /`provider` is missing/],
  ["of an unknown provider", json({ provider: TOKEN }), /`provider` must be one of/],
  ["without a client", json({ client: undefined }), /`client` is missing/],
  ["with a number as user", json({ externalSubjectId: 7 }), /`externalSubjectId` must be a string/],
  ["with an empty user", json({ externalSubjectId: "" }), /`externalSubjectId` must have 1 to 128/],
  ["with a user that is too long", json({ externalSubjectId: "x".repeat(129) }), /1 to 128/],
  ["with NUL", json({ tenantKey: `${TOKEN}\0` }), /NUL/],
  ["with a lone surrogate", json({ tenantKey: "\u{D800}" }).replace("\u{D800}", String.raw`\ud800`), /surrogates/],
  ["with a token that is too long", json({ refreshToken: TOKEN.repeat(2_000) }), /`refreshToken` must have 1 to 16384/],
  ["with a number as token", json({ accessToken: 1 }), /`accessToken` must be a string/],
  ["with seconds as a time", json({ accessTokenExpiresAt: 1_700_000_000 }), /`accessTokenExpiresAt` must be a time/],
  ["with a day that does not exist", json({ connectedAt: "2027-02-30T12:00:00Z" }), /`connectedAt` must be a time/],
  ["with scopes in one text", json({ scopes: TOKEN }), /`scopes` must be a list/],
  ["with an empty scope", json({ scopes: [""] }), /`scopes` must be a list/],
  ["without a token", json({ refreshToken: null }), /`refreshToken` is missing/],
  ["with an access token only", json({ refreshToken: null, accessToken: TOKEN }), /`refreshToken` is missing/],
  ["without the only token", json({ provider: "PROVIDER_C", refreshToken: null }), /`accessToken` is missing/],
  ["with a token that the provider does not have", json({ provider: "PROVIDER_C" }), /no refresh tokens/],
])("says what is wrong with a line %s, and repeats none of it", (_, line, problem) => {
  const read = readImportLine(typeof line === "string" ? bytes(line) : line);
  expect(read).toEqual({ problem: expect.stringMatching(problem) });
  expect(JSON.stringify(read)).not.toContain(TOKEN);
});

test("a line of the most bytes has room for every field", () => {
  const longest = {
    ...{ accessToken: "x".repeat(16_384), refreshToken: "y".repeat(16_384), accountId: "z".repeat(256) },
    scopes: Array.from({ length: 100 }, (_, index) => `${index}${"s".repeat(200)}`),
  };
  expect(json(longest).length).toBeLessThan(MOST_LINE_BYTES);
  expect(read(longest)).toMatchObject({ accountId: longest.accountId });
});

function line(fields: object) {
  const read = readImportLine(bytes(json(fields)));
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

test("lines of one user and account are the same, also with other tokens; without an account the token decides", () => {
  const key = (fields: object) => uniqueKeys(line(fields))[0];
  expect(key({ accountId: "one", refreshToken: "new" })).toBe(key({ accountId: "one" }));
  for (const other of [{ accountId: "two" }, { externalSubjectId: "user-2" }, { client: "blog" }, { tenantKey: "b" }])
    expect(key({ accountId: "one", ...other })).not.toBe(key({ accountId: "one" }));
  expect(key({ scopes: ["one"] })).toBe(key({}));
  expect(key({ refreshToken: "new" })).not.toBe(key({}));
});

test("a token that its use replaces may be in one line only; one that stays may be of several users", () => {
  const shared = (provider: string) => {
    const [one, other] = ["user-1", "user-2"].map((externalSubjectId) =>
      uniqueKeys(line({ provider, externalSubjectId })),
    );
    return one?.filter((key) => other?.includes(key));
  };
  expect(shared("PROVIDER_B")).toHaveLength(1);
  expect(shared("PROVIDER_A")).toEqual([]);
});

test("a consent is recognized by its tokens, whatever its times", () => {
  const key = (fields: object) => consentKey(line({ accountId: "one", ...fields }));
  expect(key({ connectedAt: "2027-01-31T12:00:00Z", scopes: ["one"] })).toBe(key({}));
  for (const other of [{ refreshToken: "new" }, { accessToken: "new" }]) expect(key(other)).not.toBe(key({}));
});
