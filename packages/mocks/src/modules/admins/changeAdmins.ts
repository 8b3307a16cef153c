import { accepted, asEmailAddress, decideAddAdmin, decideRemoveAdmin } from "@social-connect/domain";
import type { Member } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew, actorName } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";

export function addMember(world: World, actor: AdminActor, address: string): Member {
  const { members } = world.state;
  const isListed = [...members.values()].some(({ email }) => email === asEmailAddress(address));
  const facts = { isListed, addedBy: actorName(actor) };
  const { patch: member, audit } = acceptedNew(world, (id) => decideAddAdmin(facts, address, id, world.now()));
  members.set(member.id, member);
  recordAudit(world, actor, audit);
  return member;
}

export function removeMember(world: World, actor: AdminActor, id: string): Member {
  const { members, adminKeys } = world.state;
  const admin = members.get(id.toLowerCase()) ?? null;
  const keys = [...adminKeys.values()].filter((key) => key.memberId === admin?.id && key.revokedAt === null);
  const facts = { admin, adminCount: members.size, unrevokedKeyIds: keys.map((key) => key.id), sessions: 0 };
  const { audit, followUps } = accepted(decideRemoveAdmin(facts, world.now()));
  for (const { patch } of followUps) for (const key of keys) Object.assign(key, patch);
  members.delete(audit.target.id);
  recordAudit(world, actor, audit);
  return admin as Member;
}
