import type { SavedPoller, SocialProvider } from "@social-connect/sdk";
import { KnownAccounts } from "./accounts.ts";
import { Users } from "./users.ts";

export interface Attempt {
  readonly userId: string;
  readonly provider: SocialProvider;
  /** Names the popup that the attempt runs in; undefined for a full page. */
  readonly popup: string | undefined;
  /** The URL of the service's page that continues or cancels it, in the browser that started it. */
  readonly pane: string;
}

/** A sign-in at the identity provider that was started in one browser. */
export interface Handoff {
  readonly sessionId: string;
  /** Redeems the result. It stays on the server. */
  readonly resultProof: string;
}

export interface SavedDisconnection {
  readonly userId: string;
  readonly accountName: string;
  readonly provider: string;
  readonly at: Date;
  /** The disconnect as the SDK saves it: enough to read both receipts again, and no secret. */
  readonly saved: SavedPoller<"disconnect">;
}

/**
 * The data of this application. It is stored in memory; a real application uses a database. The service stores
 * everything else.
 */
export class Store {
  readonly users = new Users();
  readonly accounts = new KnownAccounts();
  readonly #attempts = new Map<string, Attempt>();
  readonly #handoffs = new Map<string, Handoff>();
  readonly #disconnections = new Map<string, SavedDisconnection>();

  rememberAttempt(sessionId: string, attempt: Attempt): void {
    this.#attempts.set(sessionId, attempt);
  }

  /** The attempt, if it is this user's: another user's session id finds nothing. */
  attemptOf(userId: string, sessionId: string): Attempt | undefined {
    const attempt = this.#attempts.get(sessionId);
    return attempt?.userId === userId ? attempt : undefined;
  }

  /** The session id of the attempt in a popup of this user. */
  attemptInPopup(userId: string, popup: string): string | undefined {
    return [...this.#attempts].find(([, attempt]) => attempt.userId === userId && attempt.popup === popup)?.[0];
  }

  saveHandoff(id: string, handoff: Handoff): void {
    this.#handoffs.set(id, handoff);
  }

  handoff(id: string): Handoff | undefined {
    return this.#handoffs.get(id);
  }

  removeHandoff(id: string): void {
    this.#handoffs.delete(id);
  }

  saveDisconnection(connectionId: string, disconnection: SavedDisconnection): void {
    this.#disconnections.set(connectionId, disconnection);
  }

  disconnectionOf(userId: string, connectionId: string): SavedDisconnection | undefined {
    const disconnection = this.#disconnections.get(connectionId);
    return disconnection?.userId === userId ? disconnection : undefined;
  }

  disconnectionsOf(userId: string): readonly (SavedDisconnection & { readonly connectionId: string })[] {
    return [...this.#disconnections].flatMap(([connectionId, disconnection]) =>
      disconnection.userId === userId ? [{ ...disconnection, connectionId }] : [],
    );
  }
}
