import type { SocialProvider } from "@social-connect/contract";
import {
  accepted,
  checkPublishable,
  decideCreateRegistration,
  decidePublishRegistration,
  type decideSetQuota,
  type decideStopRegistration,
  decideUpdateRegistration,
  type NewRegistration,
  notFound,
  type RegistrationInput,
  type RegistrationPatch,
} from "@social-connect/domain";
import type { Registration } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { probeAddresses } from "./probeAddresses.ts";

/** Stores a draft. The mock checks the secret and does not store it, because it sends it to no provider. */
export function createRegistration(
  world: World,
  actor: AdminActor,
  provider: SocialProvider,
  input: RegistrationInput,
): Registration {
  const facts = { ...readFacts(world, input), provider };
  const { patch, audit } = acceptedNew(world, (id) => decideCreateRegistration(facts, input, id, world.now()));
  const registration: Registration = { ...columns(patch), quota: null };
  world.state.registrations.set(registration.id, registration);
  recordAudit(world, actor, audit);
  return registration;
}

export function updateRegistration(
  world: World,
  actor: AdminActor,
  id: string,
  input: RegistrationInput,
): Registration {
  const stored = findRegistration(world, id);
  const facts = { ...readFacts(world, input), registration: stored && { ...stored, clients: null } };
  const { patch, audit } = accepted(decideUpdateRegistration(facts, input, world.now()));
  recordAudit(world, actor, audit);
  return Object.assign(readRegistration(world, id), columns(patch));
}

export function publishRegistration(world: World, actor: AdminActor, id: string): Registration {
  accepted(checkPublishable(findRegistration(world, id), world.settings.mode));
  const registration = readRegistration(world, id);
  const probe = { updatedAt: registration.updatedAt, problems: probeAddresses(world, registration) };
  const { patch, audit } = accepted(decidePublishRegistration({ registration, probe }, world.now()));
  recordAudit(world, actor, audit);
  return Object.assign(registration, patch);
}

/** Applies a decision that changes its status or its quota. */
export function changeRegistration(
  world: World,
  actor: AdminActor,
  id: string,
  decide: (registration: Registration | null) => ReturnType<typeof decideSetQuota | typeof decideStopRegistration>,
): Registration {
  const { patch, audit } = accepted(decide(findRegistration(world, id)));
  recordAudit(world, actor, audit);
  return Object.assign(readRegistration(world, id), patch);
}

export function readRegistration(world: World, id: string): Registration {
  return accepted(findRegistration(world, id) ?? notFound("The registration"));
}

function findRegistration(world: World, id: string): Registration | null {
  return world.state.registrations.get(id.toLowerCase()) ?? null;
}

function readFacts({ state, settings }: World, { clientIds }: RegistrationInput) {
  const ids = (clientIds ?? []).map((id) => id.toLowerCase());
  return { knownClients: ids.flatMap((id) => state.applications.get(id) ?? []), mode: settings.mode };
}

/** The state holds `null` for an absent address. */
function columns<Patch extends RegistrationPatch | NewRegistration>({ addresses, ...patch }: Patch) {
  return { ...patch, addresses: { revocation: null, issuer: null, ...addresses } };
}
