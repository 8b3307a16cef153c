import { CAPABILITIES, type Capability, type RegistrationStatus, type SocialProvider } from "@social-connect/contract";
import { about } from "../audit/about.ts";
import type { AuditAction } from "../audit/auditActions.ts";
import { changesOf, SECRET_CHANGED, SECRET_SET } from "../audit/changes.ts";
import { type Mode, originRules } from "../clients/client.ts";
import { type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, invalidField, notFound, ROW_BUSY } from "../decisions/refusal.ts";
import { PROVIDER_TRAITS } from "../providers/providerTraits.ts";
import { isSameMoment } from "../time/time.ts";
import { describeRegistration, moveRegistration, type RegistrationEvent } from "./registration.ts";
import {
  needsSecretAgain,
  type OriginChange,
  originChanges,
  type RegistrationAddresses,
} from "./registrationOrigins.ts";
import { checkRegistrationAddresses, type RegistrationShape } from "./registrationRules.ts";

export interface RegistrationInput extends RegistrationShape {
  /** Ids of the clients that the registration serves; it serves all without them. */
  readonly clientIds?: readonly string[] | null | undefined;
}

export interface StoredRegistration {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly clientId: string;
  readonly status: RegistrationStatus;
  readonly addresses: RegistrationAddresses;
  readonly updatedAt: Date;
}

/** A registration as an update finds it. */
export interface EditedRegistration extends StoredRegistration, Pick<RegistrationPatch, "scopes" | "capabilities"> {
  /** Slugs of the clients that it serves; null: all. */
  readonly clients: readonly string[] | null;
}

export interface RegistrationFacts {
  /** The existing clients among those of the input. */
  readonly knownClients: readonly { readonly id: string; readonly slug: string }[];
  readonly mode: Mode;
}

/** What is stored of an input, without its secret. */
export interface RegistrationPatch {
  readonly clientId: string;
  readonly addresses: Record<"authorization" | "token" | "api", string> & { revocation?: string; issuer?: string };
  readonly scopes: Record<Capability, string[]>;
  readonly capabilities: Capability[];
  readonly allApplications: boolean;
  readonly applicationIds: string[];
  readonly updatedAt: Date;
}

export interface NewRegistration extends RegistrationPatch {
  readonly id: string;
  readonly provider: SocialProvider;
  readonly status: "DRAFT";
  readonly createdAt: Date;
}

/** A new registration is a draft, which serves no client. */
export function decideCreateRegistration(
  facts: RegistrationFacts & { readonly provider: SocialProvider },
  input: RegistrationInput,
  id: string,
  now: Date,
): AdminRefusal | AuditedChange<NewRegistration> {
  const { provider } = facts;
  const refusal = checkRegistrationAddresses(input.addresses, addressRules(facts.mode, provider));
  if (refusal !== null) return refusal;
  if (input.clientSecret == null) return invalidField("clientSecret", "A new registration needs its client secret.");
  const clients = servedClients(facts, input);
  if (clients === null) return UNKNOWN_CLIENT;
  const summary = `Created ${describeRegistration({ ...input, provider })}.`;
  const patch = { ...columns(input, clients, now), id, provider, status: "DRAFT", createdAt: now } as const;
  const created = {
    provider,
    status: patch.status,
    ...shown(patch, slugsOf(clients, input)),
    clientSecret: SECRET_SET,
  };
  return auditedChange(patch, about("REGISTRATION", id, "Registration created", summary, changesOf(null, created)));
}

/**
 * Updates a registration that is not published. A stored secret never goes to another origin: an address that moves to one
 * needs the secret again.
 */
export function decideUpdateRegistration(
  { registration, ...facts }: RegistrationFacts & { readonly registration: EditedRegistration | null },
  input: RegistrationInput,
  now: Date,
): AdminRefusal | AuditedChange<RegistrationPatch> {
  if (registration === null) return NOT_FOUND;
  if (registration.status === "PUBLISHED") {
    return conflict(null, "A published registration cannot be changed. Pause it first.");
  }
  const refusal = checkRegistrationAddresses(input.addresses, addressRules(facts.mode, registration.provider));
  if (refusal !== null) return refusal;
  if (input.clientSecret == null && needsSecretAgain(registration.addresses, input.addresses)) {
    return invalidField("clientSecret", "An address moves to another origin. Enter the client secret again.");
  }
  const clients = servedClients(facts, input);
  if (clients === null) return UNKNOWN_CLIENT;
  const moves = originChanges(registration.addresses, input.addresses);
  const summary = updateSummary(registration, { replacesSecret: input.clientSecret != null, moves });
  const patch = columns(input, clients, now);
  const before = { ...shown(registration, registration.clients), clientSecret: SECRET_SET };
  const clientSecret = input.clientSecret == null ? SECRET_SET : SECRET_CHANGED;
  const changes = changesOf(before, { ...shown(patch, slugsOf(clients, input)), clientSecret });
  return auditedChange(patch, about("REGISTRATION", registration.id, "Registration changed", summary, changes));
}

export interface StatusPatch {
  readonly status: RegistrationStatus;
  readonly updatedAt: Date;
}

export function decideStopRegistration(
  registration: StoredRegistration | null,
  event: Exclude<RegistrationEvent, "PUBLISH">,
  now: Date,
): AdminRefusal | AuditedChange<StatusPatch> {
  return registration === null ? NOT_FOUND : changeStatus(registration, event, now);
}

/** Whether it makes sense to probe the registration's addresses: it can be published, and each address may be called. */
export function checkPublishable(registration: StoredRegistration | null, mode: Mode): AdminRefusal | null {
  if (registration === null) return NOT_FOUND;
  const { status, provider, addresses } = registration;
  if (moveRegistration(status, "PUBLISH") === null) return statusRefusal(status);
  // The rules may have changed since the addresses were stored.
  return checkRegistrationAddresses(addresses, addressRules(mode, provider));
}

export interface PublishFacts {
  readonly registration: StoredRegistration | null;
  /** The registration's `updatedAt` when its addresses were probed, and what the probe found. */
  readonly probe: { readonly updatedAt: Date; readonly problems: NonNullable<AdminRefusal["problems"]> };
}

/** Publishes what was probed, or nothing. */
export function decidePublishRegistration(
  { registration, probe }: PublishFacts,
  now: Date,
): AdminRefusal | AuditedChange<StatusPatch> {
  if (probe.problems.length > 0) {
    const message = "The provider's addresses do not respond as they should.";
    return { ...conflict(null, message), problems: probe.problems };
  }
  if (registration === null) return NOT_FOUND;
  if (!isSameMoment(registration.updatedAt, probe.updatedAt)) {
    return { ...ROW_BUSY, message: "The registration was changed in the meantime. Check it and try again." };
  }
  return changeStatus(registration, "PUBLISH", now);
}

const NOT_FOUND = notFound("The registration");
const UNKNOWN_CLIENT = invalidField("clientIds", "One of the clients does not exist.");

const EVENTS = {
  PUBLISH: ["Registration published", "Published"],
  PAUSE: ["Registration paused", "Paused"],
  DISABLE: ["Registration disabled", "Disabled"],
} as const satisfies Record<RegistrationEvent, readonly [AuditAction, string]>;

function changeStatus(
  registration: StoredRegistration,
  event: RegistrationEvent,
  now: Date,
): AdminRefusal | AuditedChange<StatusPatch> {
  const status = moveRegistration(registration.status, event);
  if (status === null) return statusRefusal(registration.status);
  const [action, verb] = EVENTS[event];
  const summary = `${verb} ${describeRegistration(registration)}.`;
  const changes = changesOf({ status: registration.status }, { status });
  return auditedChange({ status, updatedAt: now }, about("REGISTRATION", registration.id, action, summary, changes));
}

function statusRefusal(status: RegistrationStatus): AdminRefusal {
  return conflict(null, `The registration is ${status}. Reload it and check which changes its status allows.`);
}

function addressRules(mode: Mode, provider: SocialProvider) {
  return { ...originRules(mode), needsRevocation: PROVIDER_TRAITS[provider].canRevoke };
}

type Served = RegistrationFacts["knownClients"];

/** The clients that the registration serves; null when one of them does not exist. */
function servedClients({ knownClients }: RegistrationFacts, { clientIds }: RegistrationInput): Served | null {
  const ids = [...new Set((clientIds ?? []).map((id) => id.toLowerCase()))];
  const clients = ids.flatMap((wanted) => knownClients.find(({ id }) => id === wanted) ?? []);
  return clients.length === ids.length ? clients : null;
}

function slugsOf(clients: Served, { clientIds }: RegistrationInput): readonly string[] | null {
  return clientIds == null ? null : clients.map(({ slug }) => slug);
}

/** What the audit log shows. */
function shown(
  {
    clientId,
    addresses,
    scopes,
    capabilities,
  }: Omit<EditedRegistration, "clients" | keyof StatusPatch | "id" | "provider">,
  clients: readonly string[] | null,
) {
  return { clientId, addresses, scopes, capabilities, clients: clients ?? ["all"] };
}

function columns(input: RegistrationInput, clients: Served, now: Date): RegistrationPatch {
  const { authorization, token, api, revocation, issuer } = input.addresses;
  const scopesOf = (name: Capability) => input.scopes.find(({ capability }) => capability === name)?.scopes ?? [];
  return {
    clientId: input.clientId,
    addresses: {
      authorization: authorization ?? "",
      token: token ?? "",
      api: api ?? "",
      ...(revocation && { revocation }),
      ...(issuer && { issuer }),
    },
    scopes: Object.fromEntries(CAPABILITIES.map((name) => [name, [...scopesOf(name)]])) as Record<Capability, string[]>,
    capabilities: CAPABILITIES.filter((name) => input.capabilities.includes(name)),
    allApplications: input.clientIds == null,
    applicationIds: clients.map(({ id }) => id),
    updatedAt: now,
  };
}

/** Names both origins of every address that moved. */
function updateSummary(
  registration: StoredRegistration,
  { replacesSecret, moves }: { readonly replacesSecret: boolean; readonly moves: readonly OriginChange[] },
): string {
  const parts = [
    `Changed ${describeRegistration(registration)}`,
    ...(replacesSecret ? ["replaced its secret"] : []),
    ...moves.map(({ address, from, to }) => `${address} moved from ${from ?? "none"} to ${to ?? "none"}`),
  ];
  return `${parts.join("; ")}.`;
}
