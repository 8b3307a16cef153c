import type { SavedPoller, SocialProvider } from "@social-connect/sdk";

export interface Attempt {
  readonly userId: string;
  readonly provider: SocialProvider;
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
 * The data of this application: who started which attempt, and which disconnects have receipts. It is stored in memory;
 * a real application uses a database. The service stores everything else.
 */
export class Store {
  readonly #attempts = new Map<string, Attempt>();
  readonly #disconnections = new Map<string, SavedDisconnection>();

  rememberAttempt(sessionId: string, attempt: Attempt): void {
    this.#attempts.set(sessionId, attempt);
  }

  /** The attempt, if it is this user's: another user's session id is as good as none. */
  attemptOf(userId: string, sessionId: string): Attempt | undefined {
    const attempt = this.#attempts.get(sessionId);
    return attempt?.userId === userId ? attempt : undefined;
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
