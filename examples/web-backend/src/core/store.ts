import { createHash } from "node:crypto";
import type { IdpIdentityCompleted, SavedPoller, SocialProvider } from "@social-connect/sdk";
import { KnownAccounts } from "./accounts.ts";

/** A user of this application. */
export interface User {
  /** The application's stable id of its user: what the service gets as `externalSubjectId`. */
  readonly id: string;
  readonly name: string;
  readonly role: string;
}

/** A stand-in for an application's own accounts: pick one, and you are signed in as that person. */
export const DEMO_USERS: readonly User[] = [
  { id: "user-mara", name: "Mara Lindqvist", role: "Makes films about slow travel" },
  { id: "user-jonas", name: "Jonas Okafor", role: "Cooks in sixty seconds" },
  { id: "user-yuki", name: "Yuki Tanaka", role: "Photographs cities at night" },
];

/** Something of one user. */
interface Owned {
  readonly userId: string;
}

export interface Attempt extends Owned {
  readonly provider: SocialProvider;
}

/** A sign-in at the identity provider that was started in one browser. */
export interface Handoff {
  readonly sessionId: string;
  /** Redeems the result. It stays on the server. */
  readonly resultProof: string;
}

export interface SavedDisconnection extends Owned {
  readonly accountName: string;
  readonly provider: string;
  readonly at: Date;
  /** The disconnect as the SDK saves it: enough to read both receipts again, and no secret. */
  readonly saved: SavedPoller<"disconnect">;
}

/** The data of this application, in memory; a real application uses a database. The service stores everything else. */
export class Store {
  readonly users = new Map(DEMO_USERS.map((user) => [user.id, user]));
  readonly accounts = new KnownAccounts();
  /** The attempts to connect an account, by session id. */
  readonly attempts = new Map<string, Attempt>();
  /** The scans that users started and that have not ended, by connection id. */
  readonly scans = new Map<string, SavedPoller<"refresh">>();
  /** By the random id in the cookie of the browser that started it. */
  readonly handoffs = new Map<string, Handoff>();
  /** By the id of the former connection. */
  readonly disconnections = new Map<string, SavedDisconnection>();

  /**
   * The user with this identity, created at the first sign-in. Issuer and subject identify a person; an email address
   * can move to another person.
   */
  userOf({ issuer, idpSub, name, email, emailVerified }: IdpIdentityCompleted): User {
    const hash = createHash("sha256")
      .update(JSON.stringify([issuer, idpSub]))
      .digest("hex");
    const verifiedEmail = emailVerified === true ? email : null;
    const id = `identity-${hash.slice(0, 32)}`;
    const user = { id, name: name ?? verifiedEmail ?? "New user", role: "Signed in with a company account" };
    this.users.set(id, user);
    return user;
  }
}

/** The entry, if it is this user's: an id of another user finds nothing. */
export function ownOf<Entry extends Owned>(
  entries: ReadonlyMap<string, Entry>,
  user: User,
  id: string,
): Entry | undefined {
  const entry = entries.get(id);
  return entry?.userId === user.id ? entry : undefined;
}
