import {
  accepted,
  adminEmailOf,
  asEmailAddress,
  decideAddAdmin,
  decideRecognizeAdmin,
  decideRemoveAdmin,
  isRefusal,
  type SignedInAccount,
} from "@social-connect/domain";
import type { Member } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import { type AdminActor, acceptedNew, actorName, SYSTEM } from "../admin/actor.ts";
import { recordAudit } from "../audit/audit.ts";

export function addMember(world: World, actor: AdminActor, address: string): Member {
  const { members } = world.state;
  const facts = { isListed: findByEmail(world, asEmailAddress(address)) !== null, addedBy: actorName(actor) };
  const { patch, audit } = acceptedNew(world, (id) => decideAddAdmin(facts, address, id, world.now()));
  const member: Member = { ...patch, issuer: null, subject: null, boundAt: null };
  members.set(member.id, member);
  recordAudit(world, actor, audit);
  return member;
}

export function removeMember(world: World, actor: AdminActor, id: string): Member {
  const { members, adminKeys, panelSessions } = world.state;
  const admin = members.get(id.toLowerCase()) ?? null;
  const keys = [...adminKeys.values()].filter((key) => key.memberId === admin?.id && key.revokedAt === null);
  const facts = { admin, adminCount: members.size, unrevokedKeyIds: keys.map((key) => key.id) };
  const { audit, followUps } = accepted(decideRemoveAdmin(facts, world.now()));
  for (const { patch } of followUps) for (const key of keys) Object.assign(key, patch);
  for (const [hash, session] of panelSessions) if (session.memberId === audit.target.id) panelSessions.delete(hash);
  members.delete(audit.target.id);
  recordAudit(world, actor, audit);
  return admin as Member;
}

export function recognizeMember(world: World, account: SignedInAccount): Member | null {
  const admin = findByEmail(world, adminEmailOf(account));
  const members = [...world.state.members.values()];
  const isAccountTaken = members.some(
    ({ issuer, subject }) => issuer === account.issuer && subject === account.subject,
  );
  const change = decideRecognizeAdmin({ admin, isAccountTaken }, account, world.now());
  if (isRefusal(change) || admin === null) return null;
  if (change !== null) recordAudit(world, SYSTEM, change.audit);
  return Object.assign(admin, change?.patch);
}

function findByEmail(world: World, email: string | null): Member | null {
  return [...world.state.members.values()].find((member) => member.email === email) ?? null;
}
