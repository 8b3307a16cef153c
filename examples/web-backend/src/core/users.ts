import { createHash } from "node:crypto";
import type { IdpIdentityCompleted } from "@social-connect/sdk";

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

export class Users {
  readonly #byId = new Map(DEMO_USERS.map((user) => [user.id, user]));

  find(id: string | undefined): User | undefined {
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /**
   * The user with this identity, created at the first sign-in. Issuer and subject identify a person; an email address
   * can move to another person.
   */
  forIdentity({ issuer, idpSub, name, email, emailVerified }: IdpIdentityCompleted): User {
    const hash = createHash("sha256")
      .update(JSON.stringify([issuer, idpSub]))
      .digest("hex");
    const verifiedEmail = emailVerified === true ? email : null;
    const id = `identity-${hash.slice(0, 32)}`;
    const user = { id, name: name ?? verifiedEmail ?? "New user", role: "Signed in with a company account" };
    this.#byId.set(id, user);
    return user;
  }
}
