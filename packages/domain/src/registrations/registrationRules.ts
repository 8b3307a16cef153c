import type { Capability } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import { checkText } from "../text/text.ts";
import { addressProblem } from "../urls/address.ts";
import type { OriginRules } from "../urls/origin.ts";

/** How the service is to be known at a provider, as an admin writes it down. */
export interface RegistrationShape {
  readonly clientId: string;
  readonly clientSecret: string | null;
  readonly addresses: { readonly [Name in RegistrationAddress]?: string | null | undefined };
  /** Scope names by capability; a capability without an entry needs none. */
  readonly scopes: readonly { readonly capability: Capability; readonly scopes: readonly string[] }[];
  readonly capabilities: readonly Capability[];
}

export const REGISTRATION_ADDRESSES = ["authorization", "token", "api", "issuer", "revocation"] as const;
export type RegistrationAddress = (typeof REGISTRATION_ADDRESSES)[number];

/** Why a registration is refused, at the field where a person can mend it. */
export interface RegistrationRefusal {
  readonly field: string;
  readonly message: string;
}

const NEEDED: readonly RegistrationAddress[] = ["authorization", "token", "api"];
const CREDENTIAL = { maxLength: 1_024 };
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The shape of a registration: https addresses (plain http on loopback where allowed), scopes for every capability. */
export function checkRegistration(
  input: RegistrationShape,
  rules: RegistrationAddressRules,
): RegistrationRefusal | null {
  const id = checkText(input.clientId, "clientId", CREDENTIAL);
  if (id !== null) return { field: "clientId", message: id.message };
  const secret = input.clientSecret === null ? null : checkText(input.clientSecret, "clientSecret", CREDENTIAL);
  if (secret !== null) return { field: "clientSecret", message: secret.message };
  if (input.capabilities.length === 0 || new Set(input.capabilities).size !== input.capabilities.length) {
    return { field: "capabilities", message: "A registration has at least one capability, each once." };
  }
  const address = checkRegistrationAddresses(input.addresses, rules);
  if (address !== null) return address;
  return checkScopes(input);
}

export interface RegistrationAddressRules extends OriginRules {
  readonly needsRevocation: boolean;
}

/** Every address may be called, and none is missing. */
export function checkRegistrationAddresses(
  addresses: RegistrationShape["addresses"],
  rules: RegistrationAddressRules,
): RegistrationRefusal | null {
  for (const name of REGISTRATION_ADDRESSES) {
    const address = addresses[name] ?? "";
    const isNeeded = NEEDED.includes(name) || (name === "revocation" && rules.needsRevocation);
    if (address === "" && !isNeeded) continue;
    const message = address === "" ? "This address is needed." : addressProblem(address, rules);
    if (message !== null) return { field: `addresses.${name}`, message };
  }
  return null;
}

function checkScopes({ scopes, capabilities }: RegistrationShape): RegistrationRefusal | null {
  const refuse = (message: string) => ({ field: "scopes", message });
  const named = new Map(scopes.map((entry) => [entry.capability, entry.scopes]));
  if (named.size !== scopes.length) return refuse("A capability stands here twice.");
  // Without a scope that stands for it, a capability would count as granted by every consent.
  const bare = CAPABILITIES.find((name) => capabilities.includes(name) && !named.get(name)?.length);
  if (bare !== undefined) return refuse(`${bare} needs at least one scope.`);
  const isWord = scopes.every((entry) => entry.scopes.every((scope) => SCOPE.test(scope)));
  return isWord ? null : refuse("A scope is a word without spaces.");
}
