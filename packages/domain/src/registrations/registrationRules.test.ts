import { describe, expect, it } from "vitest";
import { checkRegistration, checkRegistrationAddresses, type RegistrationShape } from "./registrationRules.ts";

const GOOD: RegistrationShape = {
  clientId: "client",
  clientSecret: "secret",
  addresses: {
    authorization: "https://provider.example/authorize",
    token: "https://provider.example/token",
    revocation: "https://provider.example/revoke",
    api: "http://127.0.0.1:4000/api",
  },
  scopes: [{ capability: "PROFILE", scopes: ["read"] }],
  capabilities: ["PROFILE"],
};
const withAddress = (name: string, address: string | null) => ({
  ...GOOD,
  addresses: { ...GOOD.addresses, [name]: address },
});

describe("a registration", () => {
  it("that is whole is allowed", () => expect(checkRegistration(GOOD)).toBeNull());

  it.each<[string, RegistrationShape]>([
    ["clientId", { ...GOOD, clientId: "" }],
    ["clientSecret", { ...GOOD, clientSecret: "\u0000" }],
    ["capabilities", { ...GOOD, capabilities: [] }],
    ["capabilities", { ...GOOD, capabilities: ["PROFILE", "PROFILE"] }],
    ["addresses.token", withAddress("token", null)],
    ["addresses.api", withAddress("api", "ftp://provider.example")],
    ["addresses.api", withAddress("api", "http://provider.example")],
    ["addresses.api", withAddress("api", "https://user@provider.example")],
    ["addresses.issuer", withAddress("issuer", "https://provider.example/?query")],
    ["scopes", { ...GOOD, scopes: [] }],
    ["scopes", { ...GOOD, scopes: [...GOOD.scopes, ...GOOD.scopes] }],
    ["scopes", { ...GOOD, scopes: [{ capability: "PROFILE", scopes: ["two words"] }] }],
  ])("is refused at %s", (field, registration) => {
    expect(checkRegistration(registration)?.field).toBe(field);
  });

  it("needs no revocation address where the provider has none, and https where loopback does not count", () => {
    const rules = { allowLoopbackHttp: true, needsRevocation: true };
    const { addresses } = withAddress("revocation", null);
    expect(checkRegistrationAddresses(addresses, rules)?.field).toBe("addresses.revocation");
    expect(checkRegistrationAddresses(addresses, { ...rules, needsRevocation: false })).toBeNull();
    expect(checkRegistrationAddresses(GOOD.addresses, { ...rules, allowLoopbackHttp: false })?.field).toBe(
      "addresses.api",
    );
  });
});
