import { CAPABILITIES, type Capability } from "@social-connect/contract";
import { type AdminRefusal, invalidField, refuseField } from "../decisions/refusal.ts";
import { checkText } from "../text/text.ts";
import { addressProblem } from "../urls/address.ts";
import type { OriginRules } from "../urls/origin.ts";

/** The registration of the service at a provider, as an admin enters it. */
export interface RegistrationShape {
  readonly clientId: string;
  readonly clientSecret?: string | null | undefined;
  readonly addresses: { readonly [Name in RegistrationAddress]?: string | null | undefined };
  /** Scope names by capability; a capability without an entry needs none. */
  readonly scopes: readonly { readonly capability: Capability; readonly scopes: readonly string[] }[];
  readonly capabilities: readonly Capability[];
}

export const REGISTRATION_ADDRESSES = ["authorization", "token", "api", "issuer", "revocation"] as const;
export type RegistrationAddress = (typeof REGISTRATION_ADDRESSES)[number];

const NEEDED: readonly RegistrationAddress[] = ["authorization", "token", "api"];
const CREDENTIAL = { maxLength: 1_024 };
/** RFC 6749, section 3.3. */
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/;

/** The shape of a registration: https addresses (or plain http on loopback), scopes for every capability. */
export function checkRegistration(input: RegistrationShape): AdminRefusal | null {
  const { clientId, clientSecret, capabilities } = input;
  const credentials =
    refuseField("clientId", checkText(clientId, "clientId", CREDENTIAL)) ??
    (clientSecret == null ? null : refuseField("clientSecret", checkText(clientSecret, "clientSecret", CREDENTIAL)));
  if (credentials !== null) return credentials;
  if (capabilities.length === 0) {
    return invalidField("capabilities", "A registration must have at least one capability.");
  }
  if (new Set(capabilities).size !== capabilities.length) return invalidField("capabilities", "Duplicate capability.");
  return checkRegistrationAddresses(input.addresses, ANY_DEPLOYMENT) ?? checkScopes(input);
}

export interface RegistrationAddressRules extends OriginRules {
  readonly needsRevocation: boolean;
}

/** The rules that every deployment and provider has. */
const ANY_DEPLOYMENT: RegistrationAddressRules = { allowLoopbackHttp: true, needsRevocation: false };

/** Every address may be called, and all are present. */
export function checkRegistrationAddresses(
  addresses: RegistrationShape["addresses"],
  rules: RegistrationAddressRules,
): AdminRefusal | null {
  for (const name of REGISTRATION_ADDRESSES) {
    const address = addresses[name] ?? "";
    const isNeeded = NEEDED.includes(name) || (name === "revocation" && rules.needsRevocation);
    if (address === "" && !isNeeded) continue;
    const message = address === "" ? "This address is required." : addressProblem(address, rules);
    if (message !== null) return invalidField(`addresses.${name}`, message);
  }
  return null;
}

function checkScopes({ scopes, capabilities }: RegistrationShape): AdminRefusal | null {
  const named = new Map(scopes.map((entry) => [entry.capability, entry.scopes]));
  if (named.size !== scopes.length) return invalidField("scopes", "Duplicate capability.");
  // A capability without a scope would count as granted by every consent.
  const bare = CAPABILITIES.find((name) => capabilities.includes(name) && !named.get(name)?.length);
  if (bare !== undefined) return invalidField("scopes", `${bare} needs at least one scope.`);
  const isWord = scopes.every((entry) => entry.scopes.every((scope) => SCOPE.test(scope)));
  return isWord ? null : invalidField("scopes", "A scope must be a word of ASCII characters without spaces.");
}
