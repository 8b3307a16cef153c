import { about } from "../audit/about.ts";
import { changesOf } from "../audit/changes.ts";
import { touchedChanges } from "../audit/touched.ts";
import { type AdminDecision, type AuditedChange, auditedChange } from "../decisions/change.ts";
import { type AdminRefusal, conflict, invalidField, notFound } from "../decisions/refusal.ts";
import { asEmailAddress } from "../text/emailAddress.ts";

export interface NewAdmin {
  readonly id: string;
  readonly email: string;
  readonly addedAt: Date;
  readonly addedBy: string;
}

/** The first account that signs in with the address, verified, becomes the admin's account. */
export function decideAddAdmin(
  { isListed, addedBy }: { readonly isListed: boolean; readonly addedBy: string },
  address: string,
  id: string,
  now: Date,
): AdminRefusal | AuditedChange<NewAdmin> {
  const email = asEmailAddress(address);
  if (email === null) return invalidField("email", "Enter a valid email address.");
  if (isListed) return conflict("ALREADY_PRESENT", "This address already belongs to an admin.");
  const audit = about("ADMIN", id, "Admin added", `Added ${email} to the admins.`, changesOf(null, { email, addedBy }));
  return auditedChange({ id, email, addedAt: now, addedBy }, audit);
}

export interface RevokeApiKeys {
  readonly type: "REVOKE_API_KEYS";
  readonly keyIds: readonly string[];
  readonly patch: { readonly revokedAt: Date };
}

export interface RemoveAdminFacts {
  readonly admin: { readonly id: string; readonly email: string; readonly addedBy: string } | null;
  readonly adminCount: number;
  /** The admin's keys that are not revoked, expired ones included. */
  readonly unrevokedKeyIds: readonly string[];
  /** The admin's sessions that have not ended. */
  readonly sessions: number;
}

/**
 * Removes an admin with their keys and sessions; `patch: null` is the deleted row. The last admin stays, because only an
 * admin can add one. Source: service description, part 5, admin rule 6.
 */
export function decideRemoveAdmin(
  { admin, adminCount, unrevokedKeyIds, sessions }: RemoveAdminFacts,
  now: Date,
): AdminRefusal | AuditedChange<null, RevokeApiKeys> {
  if (admin === null) return notFound("The admin");
  if (adminCount === 1) return conflict(null, "The last admin cannot be removed. Add another admin first.");
  const { email, addedBy } = admin;
  const summary = `Removed ${email} from the admins; keys revoked: ${unrevokedKeyIds.length}.`;
  const touched = touchedChanges({ keys: unrevokedKeyIds.length, sessions });
  const removed = [...changesOf({ email, addedBy }, null), ...touched];
  return {
    patch: null,
    followUps: [{ type: "REVOKE_API_KEYS", keyIds: unrevokedKeyIds, patch: { revokedAt: now } }],
    audit: about("ADMIN", admin.id, "Admin removed", summary, removed),
  };
}

/** The account that signed in, as the issuer describes it. */
export interface SignedInAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly email: string | null;
  readonly emailVerified: boolean;
}

/** The address by which an account can be an admin; null when it is not verified. */
export function adminEmailOf({ email, emailVerified }: SignedInAccount): string | null {
  return emailVerified ? asEmailAddress(email ?? "") : null;
}

export interface RecognizeFacts {
  /** The admin with the account's address; `null` if no admin has it. */
  readonly admin: {
    readonly id: string;
    readonly email: string;
    readonly issuer: string | null;
    readonly subject: string | null;
  } | null;
  readonly isAccountTaken: boolean;
}

export interface BoundAccount {
  readonly issuer: string;
  readonly subject: string;
  readonly boundAt: Date;
}

/**
 * Whether the account may sign in as the admin; `null` when it may and nothing changes. At the first sign-in the admin is bound to the
 * account: another account that later gets the same address is not an admin.
 */
export function decideRecognizeAdmin(
  { admin, isAccountTaken }: RecognizeFacts,
  { issuer, subject }: Pick<SignedInAccount, "issuer" | "subject">,
  now: Date,
): AdminDecision<BoundAccount> {
  if (admin === null) return NOT_AN_ADMIN;
  if (admin.subject !== null) return admin.issuer === issuer && admin.subject === subject ? null : NOT_AN_ADMIN;
  if (isAccountTaken) return NOT_AN_ADMIN;
  const summary = `${admin.email} signed in for the first time and is this account at the issuer from now on.`;
  const bound = changesOf({ issuer: admin.issuer }, { issuer, boundAt: now });
  const audit = about("ADMIN", admin.id, "Admin signed in for the first time", summary, bound);
  return auditedChange({ issuer, subject, boundAt: now }, audit);
}

const NOT_AN_ADMIN: AdminRefusal = { code: "FORBIDDEN", message: "This account is not an admin." };
