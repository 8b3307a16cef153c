import {
  accepted,
  auditWithEnded,
  type ClientChangeInput,
  type ClientChangeName,
  type CreateClientInput,
  decideClientChange,
  decideCreateClient,
  notFound,
  ROW_BUSY,
} from "@social-connect/domain";
import type { Application } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";
import { endAttempts, readOpenAttempts } from "./openAttempts.ts";

/** Registers a client; every account may connect until its first tester is added. */
export function createClient(world: World, actor: AdminActor, input: CreateClientInput): Application {
  const { applications } = world.state;
  const { mode } = world.settings;
  const slugIsTaken = [...applications.values()].some((one) => one.slug === input.slug);
  const { patch, audit } = acceptedNew(world, (id) =>
    decideCreateClient({ slugIsTaken, mode }, input, id, world.now()),
  );
  const created: Application = { ...patch, testers: "everyone" };
  applications.set(created.id, created);
  recordAudit(world, actor, audit);
  return created;
}

export function changeClient<Name extends ClientChangeName>(
  world: World,
  actor: AdminActor,
  id: string,
  name: Name,
  input: ClientChangeInput<Name>,
): Application {
  const { mode, previewOriginTemplate: previewTemplate } = world.settings;
  const client = lockClient(world, id);
  const facts = { client, openAttempts: readOpenAttempts(world, client), mode, previewTemplate };
  const change = accepted(decideClientChange(name, facts, input, world.now()));
  const stored = readClient(world, id);
  if (change === null) return stored;
  recordAudit(world, actor, auditWithEnded(change.audit, endAttempts(world, stored, change.followUps)));
  return Object.assign(stored, change.patch);
}

/** The client, or null. Fails with ROW_BUSY while a test locks the client. */
export function lockClient(world: World, id: string): Application | null {
  const client = world.state.applications.get(id.toLowerCase()) ?? null;
  if (client !== null && world.state.heldApplicationIds.includes(client.id)) accepted(ROW_BUSY);
  return client;
}

export function readClient(world: World, id: string): Application {
  return accepted(world.state.applications.get(id.toLowerCase()) ?? notFound("The client"));
}
