import type { Capability, SocialProvider } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import type { RegistrationAddressRules, RegistrationRefusal } from "@social-connect/domain";
import { checkRegistration, checkRegistrationAddresses } from "@social-connect/domain";
import { asUuid } from "../../platform/uuid.ts";
import type { ProviderAddresses, ProviderScopes } from "../../providers/registration.ts";
import { providerAddresses } from "../../providers/registration.ts";
import { InvalidInputError } from "../admin/errors.ts";
import type { Service, Transaction } from "../service.ts";

export interface RegistrationInput {
  readonly clientId: string;
  /** null leaves the stored one as it is. */
  readonly clientSecret: string | null;
  readonly addresses: {
    readonly authorization: string;
    readonly token: string;
    readonly revocation?: string | null | undefined;
    readonly api: string;
    readonly issuer?: string | null | undefined;
  };
  /** Scope names by capability; a capability without an entry needs none. */
  readonly scopes: readonly { readonly capability: Capability; readonly scopes: readonly string[] }[];
  readonly capabilities: readonly Capability[];
  /** Ids of the clients it serves; null serves all. */
  readonly clientIds: readonly string[] | null;
}

/** What is stored of it, checked; the secret aside. */
export interface CheckedRegistration {
  readonly clientId: string;
  readonly addresses: ProviderAddresses;
  readonly scopes: ProviderScopes;
  readonly capabilities: Capability[];
  readonly allApplications: boolean;
}

/** Checks the shape of a registration: https addresses (plain http on loopback in sandbox), scopes as RFC 6749 3.3 has them. */
export function checkRegistrationInput(
  service: Service,
  provider: SocialProvider,
  input: RegistrationInput,
): CheckedRegistration {
  enforceRule(checkRegistration({ ...input, addresses: given(input.addresses) }, addressRules(service, provider)));
  const named = new Map(input.scopes.map((entry) => [entry.capability, entry.scopes]));
  return {
    clientId: input.clientId,
    addresses: providerAddresses.parse(given(input.addresses)),
    scopes: Object.fromEntries(CAPABILITIES.map((name) => [name, [...(named.get(name) ?? [])]])) as ProviderScopes,
    capabilities: CAPABILITIES.filter((capability) => input.capabilities.includes(capability)),
    allApplications: input.clientIds === null,
  };
}

/** Throws InvalidInputError at the first address that may not be called. */
export function enforceAddresses(service: Service, provider: SocialProvider, addresses: ProviderAddresses): void {
  enforceRule(checkRegistrationAddresses(addresses, addressRules(service, provider)));
}

function addressRules({ mode, provider: adapterOf }: Service, provider: SocialProvider): RegistrationAddressRules {
  return { allowLoopbackHttp: mode === "sandbox", needsRevocation: adapterOf(provider).traits.canRevoke };
}

function enforceRule(refusal: RegistrationRefusal | null): void {
  if (refusal !== null) throw new InvalidInputError(refusal.field, refusal.message);
}

function given(addresses: RegistrationInput["addresses"]): Record<string, string> {
  return Object.fromEntries(Object.entries(addresses).flatMap(([name, text]) => (text ? [[name, text]] : [])));
}

/** The ids of the clients a registration is for; throws when one of them is unknown. */
export async function knownClientIds(transaction: Transaction, clientIds: readonly string[] | null): Promise<string[]> {
  const ids = [...new Set((clientIds ?? []).map((id) => asUuid(id)).filter((id) => id !== null))];
  const known = await transaction.application.count({ where: { id: { in: ids } } });
  if (ids.length !== new Set(clientIds ?? []).size || known !== ids.length) {
    throw new InvalidInputError("clientIds", "One of the clients does not exist.");
  }
  return ids;
}
