import type { SavedPoller, SocialProvider } from "@social-connect/sdk";

export interface Attempt {
  readonly userId: string;
  readonly provider: SocialProvider;
}

export interface Goodbye {
  readonly userId: string;
  readonly accountName: string;
  readonly provider: string;
  readonly at: Date;
  /** The disconnect as the SDK saves it: enough to read both receipts again, and no secret. */
  readonly saved: SavedPoller<"disconnect">;
}

/**
 * What this application remembers by itself: who started which attempt, and which disconnects have receipts. It is
 * kept in memory; a real application has a database for it. Everything else is the service's to know.
 */
export class Store {
  readonly #attempts = new Map<string, Attempt>();
  readonly #goodbyes = new Map<string, Goodbye>();

  rememberAttempt(sessionId: string, attempt: Attempt): void {
    this.#attempts.set(sessionId, attempt);
  }

  /** The attempt, if it is this user's: another user's session id is as good as none. */
  attemptOf(userId: string, sessionId: string): Attempt | undefined {
    const attempt = this.#attempts.get(sessionId);
    return attempt?.userId === userId ? attempt : undefined;
  }

  rememberGoodbye(connectionId: string, goodbye: Goodbye): void {
    this.#goodbyes.set(connectionId, goodbye);
  }

  goodbyeOf(userId: string, connectionId: string): Goodbye | undefined {
    const goodbye = this.#goodbyes.get(connectionId);
    return goodbye?.userId === userId ? goodbye : undefined;
  }

  goodbyesOf(userId: string): readonly (Goodbye & { readonly connectionId: string })[] {
    return [...this.#goodbyes].flatMap(([connectionId, goodbye]) =>
      goodbye.userId === userId ? [{ ...goodbye, connectionId }] : [],
    );
  }
}
