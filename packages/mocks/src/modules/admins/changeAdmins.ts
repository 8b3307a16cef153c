import { AUDITED, asEmailAddress } from "@social-connect/domain";
import type { Member } from "../../state/state.ts";
import type { World } from "../../world/world.ts";
import type { AdminActor } from "../admin/actor.ts";
import { actorName, SYSTEM } from "../admin/actor.ts";
import { ConflictError, InvalidInputError, NotFoundError } from "../admin/errors.ts";
import { recordAudit } from "../audit/audit.ts";

/** Puts an e-mail address on the list of admins. Whoever first signs in with it, verified, is that admin from then on. */
export function addMember(world: World, actor: AdminActor, address: string): Member {
  const email = asEmailAddress(address);
  if (email === null) throw new InvalidInputError("email", "This is not an e-mail address.");
  const members = [...world.state.members.values()];
  if (members.some((member) => member.email === email)) {
    throw new ConflictError("ALREADY_PRESENT", "This address is on the list of admins already.");
  }
  const member: Member = {
    id: world.newId(),
    email,
    subject: null,
    addedAt: world.now(),
    addedBy: actorName(actor),
  };
  world.state.members.set(member.id, member);
  const target = { type: "ADMIN", id: member.id } as const;
  recordAudit(world, { actor, ...AUDITED.adminAdded(email), target });
  return member;
}

/** Takes an admin off the list; keys and sessions are dead at once. The last one stays. */
export function removeMember(world: World, actor: AdminActor, id: string): Member {
  const { members, adminKeys, panelSessions } = world.state;
  const member = members.get(id.toLowerCase());
  if (member === undefined) throw new NotFoundError("The admin");
  if (members.size === 1) throw new ConflictError(null, "The last admin cannot be removed: add another one first.");
  const now = world.now();
  let revoked = 0;
  for (const key of adminKeys.values()) {
    if (key.memberId !== member.id || key.revokedAt !== null) continue;
    key.revokedAt = now;
    revoked += 1;
  }
  for (const [hash, session] of panelSessions) if (session.memberId === member.id) panelSessions.delete(hash);
  members.delete(member.id);
  recordAudit(world, {
    actor,
    ...AUDITED.adminRemoved(member.email, revoked),
    target: { type: "ADMIN", id: member.id },
  });
  return member;
}

/** The admin who signed in, or null: a verified address on the list, and from the first sign-in on the same account. */
export function recognizeMember(
  world: World,
  person: { readonly idpSub: string | null; readonly email: string | null; readonly emailVerified: boolean | null },
): Member | null {
  const { idpSub, emailVerified } = person;
  const email = emailVerified === true ? asEmailAddress(person.email ?? "") : null;
  if (idpSub === null || email === null) return null;
  const members = [...world.state.members.values()];
  const found = members.find((member) => member.email === email);
  if (found === undefined) return null;
  if (found.subject !== null) return found.subject === idpSub ? found : null;
  if (members.some((member) => member.subject === idpSub)) return null;
  found.subject = idpSub;
  recordAudit(world, {
    actor: SYSTEM,
    ...AUDITED.adminFirstSignIn(found.email),
    target: { type: "ADMIN", id: found.id },
  });
  return found;
}
