import { CAPABILITIES, type Capability } from "@social-connect/contract";
import { addressProblem, needsSecretAgain, REGISTRATION_ADDRESSES } from "@social-connect/domain";
import type { CreateRegistrationMutationVariables } from "../../_generated/registrations.ts";
import type { ProviderSetup, RegistrationDetail } from "./queries.ts";

type RegistrationInput = CreateRegistrationMutationVariables["input"];

/** The form's values. Field names match the service's, so that failures are shown at their field. */
export interface RegistrationValues extends Record<string, unknown> {
  clientId: string;
  /** Empty: the stored secret is unchanged. */
  clientSecret: string;
  authorization: string;
  token: string;
  revocation: string;
  api: string;
  /** Empty: the origin of the authorization URL. */
  issuer: string;
  capabilities: Capability[];
  /** Space-separated. */
  scopes: Record<Capability, string>;
  serves: "all" | "some";
  clientIds: string[];
}

type Scopes = readonly { readonly capability: Capability; readonly scopes: readonly string[] }[];

function joinScopes(scopes: Scopes): Record<Capability, string> {
  const joined = new Map(scopes.map(({ capability, scopes: names }) => [capability, names.join(" ")]));
  return Object.fromEntries(CAPABILITIES.map((name) => [name, joined.get(name) ?? ""])) as Record<Capability, string>;
}

/** The initial values of a new registration, from the documentation of the public API. */
export function newValues({ publicAddresses, publicScopes }: ProviderSetup): RegistrationValues {
  const addresses = { ...publicAddresses, issuer: null };
  return valuesOf({ clientId: "", addresses, capabilities: CAPABILITIES, scopes: publicScopes, clients: null });
}

type Configuration = Pick<RegistrationDetail, "clientId" | "addresses" | "capabilities" | "scopes" | "clients">;

export function valuesOf({ clientId, addresses, capabilities, scopes, clients }: Configuration): RegistrationValues {
  return {
    clientId,
    clientSecret: "",
    authorization: addresses.authorization,
    token: addresses.token,
    revocation: addresses.revocation ?? "",
    api: addresses.api,
    issuer: addresses.issuer ?? "",
    capabilities: [...capabilities],
    scopes: joinScopes(scopes),
    serves: clients === null ? "all" : "some",
    clientIds: (clients ?? []).map(({ id }) => id),
  };
}

export function inputOf(values: RegistrationValues): RegistrationInput {
  const orNull = (text: string) => text.trim() || null;
  return {
    clientId: values.clientId.trim(),
    clientSecret: orNull(values.clientSecret),
    addresses: {
      authorization: values.authorization.trim(),
      token: values.token.trim(),
      revocation: orNull(values.revocation),
      api: values.api.trim(),
      issuer: orNull(values.issuer),
    },
    capabilities: values.capabilities,
    scopes: CAPABILITIES.filter((name) => values.scopes[name].trim() !== "").map((capability) => ({
      capability,
      scopes: values.scopes[capability].trim().split(/\s+/),
    })),
    clientIds: values.serves === "all" ? null : values.clientIds,
  };
}

/** Whether an address moves to another origin, for which the service requires the client secret again. */
export function movesOrigin(values: RegistrationValues, { addresses }: RegistrationDetail): boolean {
  return needsSecretAgain(addresses, inputOf(values).addresses);
}

/** Whether the registration serves a client that it does not serve with these values. */
export function takesClientsOut({ serves, clientIds }: RegistrationValues, { clients }: RegistrationDetail): boolean {
  return serves === "some" && (clients === null || clients.some(({ id }) => !clientIds.includes(id)));
}

type Errors = Partial<Record<keyof RegistrationValues & string, string>>;

/** Validates the form before it is sent; the service validates it again. */
export function findGaps(
  values: RegistrationValues,
  { canRevoke, mode }: ProviderSetup,
  stored: RegistrationDetail | null,
): Errors {
  const gaps: Errors = {};
  if (values.clientId.trim() === "") gaps["clientId"] = "Enter the client id that the provider issued.";
  if (values.clientSecret.trim() === "") {
    if (stored === null) gaps["clientSecret"] = "Enter the client secret.";
    else if (movesOrigin(values, stored))
      gaps["clientSecret"] = "An address moves to another origin. Enter the client secret again.";
  }
  const needed = ["authorization", "token", "api", ...(canRevoke ? ["revocation"] : [])];
  for (const name of REGISTRATION_ADDRESSES) {
    const address = values[name].trim();
    // The same rule as in the service.
    const problem = address === "" ? null : addressProblem(address, { allowLoopbackHttp: mode === "SANDBOX" });
    if (problem !== null) gaps[name] = problem;
    else if (address === "" && needed.includes(name)) gaps[name] = "This address is required.";
  }
  if (values.capabilities.length === 0) gaps["capabilities"] = "Choose at least one.";
  if (values.serves === "some" && values.clientIds.length === 0) gaps["clientIds"] = "Choose at least one client.";
  return gaps;
}
