import { describe, expect, test } from "vitest";
import { needsSecretAgain, originChanges } from "./registrationOrigins.ts";

const BEFORE = {
  authorization: "https://accounts.example/authorize",
  token: "https://api.example/token",
  revocation: null,
  api: "https://api.example/v1",
  issuer: null,
};

describe("an update of a registration's addresses", () => {
  test.each([
    ["the same addresses", {}, false],
    ["another path on the same origin", { token: "https://api.example/v2/token" }, false],
    ["the default port written out", { token: "https://api.example:443/token" }, false],
    ["an issuer that names the consent page's origin", { issuer: "https://accounts.example" }, false],
    ["an added address on an origin that is already used", { revocation: "https://api.example/revoke" }, false],
    ["a token address on another host", { token: "https://evil.example/token" }, true],
    ["a token address on another address's origin", { token: "https://accounts.example/token" }, true],
    ["another port", { api: "https://api.example:8443/v1" }, true],
    ["another scheme", { api: "http://api.example/v1" }, true],
    ["a consent page on another host", { authorization: "https://evil.example/authorize" }, true],
    ["another issuer", { issuer: "https://evil.example" }, true],
    ["an added address on a new origin", { revocation: "https://evil.example/revoke" }, true],
  ])("with %s: needs the secret again: %o -> %s", (_, changed, expected) => {
    expect(needsSecretAgain(BEFORE, { ...BEFORE, ...changed })).toBe(expected);
  });

  test("that removes an address sends nothing to a new origin", () => {
    const before = { ...BEFORE, revocation: "https://api.example/revoke" };
    expect(needsSecretAgain(before, BEFORE)).toBe(false);
    expect(originChanges(before, BEFORE)).toEqual([{ address: "revocation", from: "https://api.example", to: null }]);
  });
});
