import { parseUrl } from "../urls/parseUrl.ts";
import { REGISTRATION_ADDRESSES, type RegistrationAddress, type RegistrationShape } from "./registrationRules.ts";

/** The addresses of a registration that passed `checkRegistration`. */
export type RegistrationAddresses = RegistrationShape["addresses"];

/** An address of a registration whose origin changes; null: the registration has no such address. */
export interface OriginChange {
  readonly address: RegistrationAddress;
  readonly from: string | null;
  readonly to: string | null;
}

/** Every address that moves to another origin, is added or removed. Another path on the same origin is not a change. */
export function originChanges(before: RegistrationAddresses, after: RegistrationAddresses): OriginChange[] {
  return REGISTRATION_ADDRESSES.flatMap((address) => {
    const [from, to] = [originOf(before, address), originOf(after, address)];
    return from === to ? [] : [{ address, from, to }];
  });
}

/**
 * True when the update needs the client secret again: credentials would be sent to an origin that the address did not have.
 * So a stored secret goes to another origin only with someone who knows it. An added address may use an origin that the
 * registration has already.
 */
export function needsSecretAgain(before: RegistrationAddresses, after: RegistrationAddresses): boolean {
  const known = new Set(REGISTRATION_ADDRESSES.map((address) => originOf(before, address)));
  return originChanges(before, after).some(({ from, to }) => to !== null && (from !== null || !known.has(to)));
}

/** An absent issuer means the consent page's origin (RFC 9207), so naming that origin is not a change. */
function originOf(addresses: RegistrationAddresses, name: RegistrationAddress): string | null {
  const address = addresses[name] || (name === "issuer" ? addresses.authorization : null);
  return address ? (parseUrl(address)?.origin ?? null) : null;
}
