import type { AdminKeyScope } from "@social-connect/contract";
import { adminKeyText } from "@social-connect/domain";
import type { AdminMember } from "../../_generated/prisma/client.ts";
import { newId, newSecretHex } from "../../platform/ids.ts";
import { sha256 } from "../../platform/secrets/hash.ts";
import type { SessionActor } from "../admin/actor.ts";
import type { TestService } from "./testService.ts";

const TEST_ISSUER = "https://issuer.example";

export async function createAdminMember(service: TestService, email = `${newId()}@example.test`): Promise<AdminMember> {
  const now = service.clock.current;
  return service.prisma.adminMember.create({
    data: { id: newId(), email, issuer: TEST_ISSUER, subject: email, addedAt: now, addedBy: "System", boundAt: now },
  });
}

export function sessionOf(service: TestService, member: AdminMember): SessionActor {
  return {
    via: "session",
    sessionId: newId(),
    memberId: member.id,
    email: member.email,
    issuer: member.issuer ?? TEST_ISSUER,
    subject: member.subject ?? member.email,
    authenticatedAt: service.clock.current,
  };
}

export type TestAdminKey = Awaited<ReturnType<typeof createApiKey>>;

export async function createApiKey(service: TestService, member: AdminMember, scope: AdminKeyScope) {
  const [id, secret] = [newId(), newSecretHex()];
  const { id: memberId, email: createdBy, issuer, subject } = member;
  const createdAt = service.clock.current;
  const expiresAt = new Date(createdAt.getTime() + 86_400_000);
  const secretHash = sha256(secret);
  await service.prisma.adminApiKey.create({
    data: { id, memberId, createdBy, issuer, subject, label: scope, scope, secretHash, createdAt, expiresAt },
  });
  return { id, key: adminKeyText({ keyId: id, secret }) };
}
