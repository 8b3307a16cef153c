import type { SocialProvider } from "@social-connect/contract";
import { CAPABILITIES } from "@social-connect/contract";
import type { AuditText, RegistrationEvent, RegistrationShape } from "@social-connect/domain";
import {
  AUDITED,
  checkRegistration,
  mayChangeRegistration,
  moveRegistration,
  needsSecretAgain,
  originChanges,
  originRules,
  PROVIDER_TRAITS,
  registrationChangeSummary,
  registrationMoveRefusal,
} from "@social-connect/domain";
import type { Registration } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { ConflictError, InvalidInputError, NotFoundError, ProviderCheckError } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";
import { probeAddresses } from "./probeAddresses.ts";

export interface RegistrationInput extends RegistrationShape {
  /** Ids of the clients it serves; null serves all. */
  readonly clientIds: readonly string[] | null;
}

/** Creates a draft. The secret is checked but not stored, because the mock never calls a provider. */
export function createRegistration(
  world: World,
  actor: AdminActor,
  provider: SocialProvider,
  input: RegistrationInput,
): Registration {
  const checked = check(world, provider, input);
  if (input.clientSecret === null) {
    throw new InvalidInputError("clientSecret", "A new registration needs its client secret.");
  }
  const now = world.now();
  const id = world.newId();
  const registration: Registration = { id, provider, status: "DRAFT", ...checked, createdAt: now, updatedAt: now };
  world.state.registrations.set(id, registration);
  audit(world, actor, registration, AUDITED.registrationCreated(registration));
  return registration;
}

/** Updates an unpublished registration. An address with a new origin requires the secret again. */
export function updateRegistration(world: World, actor: AdminActor, id: string, input: RegistrationInput) {
  const registration = readRegistration(world, id);
  if (!mayChangeRegistration(registration.status)) {
    throw new ConflictError(null, "A published registration cannot be changed: pause it first.");
  }
  const checked = check(world, registration.provider, input);
  const replacesSecret = input.clientSecret !== null;
  if (!replacesSecret && needsSecretAgain(registration.addresses, checked.addresses)) {
    const message = "An address moves to another origin. Enter the client secret again.";
    throw new InvalidInputError("clientSecret", message);
  }
  const moves = originChanges(registration.addresses, checked.addresses);
  const summary = registrationChangeSummary(registration, { replacesSecret, moves });
  audit(world, actor, registration, { action: "Registration changed", summary });
  return Object.assign(registration, checked, { updatedAt: world.now() });
}

/** Publishes a registration after its addresses responded as the provider would. */
export function publishRegistration(world: World, actor: AdminActor, id: string): Registration {
  const registration = readRegistration(world, id);
  nextStatus(registration, "PUBLISH");
  const problems = probeAddresses(world, registration);
  if (problems.length > 0) throw new ProviderCheckError(problems);
  return move(world, actor, id, "PUBLISH");
}

export function pauseRegistration(world: World, actor: AdminActor, id: string): Registration {
  return move(world, actor, id, "PAUSE");
}

export function disableRegistration(world: World, actor: AdminActor, id: string): Registration {
  return move(world, actor, id, "DISABLE");
}

export function readRegistration(world: World, id: string): Registration {
  const registration = world.state.registrations.get(id.toLowerCase());
  if (registration === undefined) throw new NotFoundError("The registration does not exist.");
  return registration;
}

const AUDITED_MOVES = {
  PUBLISH: AUDITED.registrationPublished,
  PAUSE: AUDITED.registrationPaused,
  DISABLE: AUDITED.registrationDisabled,
} as const;

function move(world: World, actor: AdminActor, id: string, event: RegistrationEvent): Registration {
  const registration = readRegistration(world, id);
  const status = nextStatus(registration, event);
  Object.assign(registration, { status, updatedAt: world.now() });
  audit(world, actor, registration, AUDITED_MOVES[event](registration));
  return registration;
}

function nextStatus({ status }: Registration, event: RegistrationEvent): Registration["status"] {
  const next = moveRegistration(status, event);
  if (next === null) throw new ConflictError(null, registrationMoveRefusal(status));
  return next;
}

function check(world: World, provider: SocialProvider, input: RegistrationInput) {
  const rules = { ...originRules(world.settings.mode), needsRevocation: PROVIDER_TRAITS[provider].canRevoke };
  const refusal = checkRegistration(input, rules);
  if (refusal !== null) throw new InvalidInputError(refusal.field, refusal.message);
  const ids = (input.clientIds ?? []).map((id) => id.toLowerCase());
  if (new Set(ids).size !== ids.length || ids.some((id) => !world.state.applications.has(id))) {
    throw new InvalidInputError("clientIds", "One of the clients does not exist.");
  }
  const named = new Map(input.scopes.map((entry) => [entry.capability, entry.scopes]));
  const [profile, list, lookup, metrics] = CAPABILITIES.map((name) => [...(named.get(name) ?? [])]);
  const { authorization, token, revocation, api, issuer } = input.addresses;
  return {
    clientId: input.clientId,
    addresses: {
      authorization: authorization ?? "",
      token: token ?? "",
      revocation: revocation || null,
      api: api ?? "",
      issuer: issuer || null,
    },
    scopes: {
      PROFILE: profile ?? [],
      CONTENT_LIST: list ?? [],
      CONTENT_LOOKUP: lookup ?? [],
      CONTENT_METRICS: metrics ?? [],
    },
    capabilities: CAPABILITIES.filter((name) => input.capabilities.includes(name)),
    allApplications: input.clientIds === null,
    applicationIds: ids,
  };
}

function audit(world: World, actor: AdminActor, { id }: Registration, text: AuditText): void {
  recordAudit(world, actor, { ...text, target: { type: "REGISTRATION", id } });
}
