import type { Capability } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import { addressProblem, needsSecretAgain, REGISTRATION_ADDRESSES } from "@social-connect/domain";
import type { CreateRegistrationMutationVariables } from "../../_generated/registrations.ts";
import type { ProviderSetup, RegistrationDetail } from "./queries.ts";

type RegistrationInput = CreateRegistrationMutationVariables["input"];

/** What the form holds. Names are the service's, so that a failure finds its field. */
export interface RegistrationValues extends Record<string, unknown> {
  clientId: string;
  /** Empty: the stored one stays. */
  clientSecret: string;
  authorization: string;
  token: string;
  revocation: string;
  api: string;
  /** Empty: the consent page's origin. */
  issuer: string;
  capabilities: Capability[];
  /** Scopes with spaces between them. */
  scopes: Record<Capability, string>;
  serves: "all" | "some";
  clientIds: string[];
}

type Scopes = readonly { readonly capability: Capability; readonly scopes: readonly string[] }[];

function asTexts(scopes: Scopes): Record<Capability, string> {
  const texts = new Map(scopes.map(({ capability, scopes: names }) => [capability, names.join(" ")]));
  return Object.fromEntries(CAPABILITIES.map((name) => [name, texts.get(name) ?? ""])) as Record<Capability, string>;
}

/** A new registration starts from what the public API's documentation gives. */
export function newValues({ publicAddresses, publicScopes }: ProviderSetup): RegistrationValues {
  return {
    clientId: "",
    clientSecret: "",
    authorization: publicAddresses.authorization,
    token: publicAddresses.token,
    revocation: publicAddresses.revocation ?? "",
    api: publicAddresses.api,
    issuer: "",
    capabilities: [...CAPABILITIES],
    scopes: asTexts(publicScopes),
    serves: "all",
    clientIds: [],
  };
}

export function valuesOf({
  clientId,
  addresses,
  capabilities,
  scopes,
  clients,
}: RegistrationDetail): RegistrationValues {
  return {
    clientId,
    clientSecret: "",
    authorization: addresses.authorization,
    token: addresses.token,
    revocation: addresses.revocation ?? "",
    api: addresses.api,
    issuer: addresses.issuer ?? "",
    capabilities: [...capabilities],
    scopes: asTexts(scopes),
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

/** True when an address moves to another origin, for which the service wants the client secret again. */
export function movesOrigin(values: RegistrationValues, { addresses }: RegistrationDetail): boolean {
  return needsSecretAgain(addresses, inputOf(values).addresses);
}

type Errors = Partial<Record<keyof RegistrationValues & string, string>>;

/** What can be said before the service is asked; the service has the last word. */
export function findGaps(
  values: RegistrationValues,
  { canRevoke, mode }: ProviderSetup,
  stored: RegistrationDetail | null,
): Errors {
  const gaps: Errors = {};
  if (values.clientId.trim() === "") gaps["clientId"] = "Write the client id that the provider gave you.";
  if (values.clientSecret.trim() === "") {
    if (stored === null) gaps["clientSecret"] = "Write the secret that belongs to the client id.";
    else if (movesOrigin(values, stored))
      gaps["clientSecret"] = "An address moves to another origin. Enter the client secret again.";
  }
  const needed = ["authorization", "token", "api", ...(canRevoke ? ["revocation"] : [])];
  for (const name of REGISTRATION_ADDRESSES) {
    const address = values[name].trim();
    // The service's own judge, so that it has nothing to add.
    const problem = address === "" ? null : addressProblem(address, { allowLoopbackHttp: mode === "SANDBOX" });
    if (problem !== null) gaps[name] = problem;
    else if (address === "" && needed.includes(name)) gaps[name] = "This address is needed.";
  }
  if (values.capabilities.length === 0) gaps["capabilities"] = "Choose at least one.";
  if (values.serves === "some" && values.clientIds.length === 0) gaps["clientIds"] = "Choose at least one client.";
  return gaps;
}
