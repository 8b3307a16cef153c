import { type Attempt, type Handoff, Store } from "../core/store.ts";

/** A store that reports to a test what was stored last. */
export class RecordingStore extends Store {
  lastAttempt = "";
  lastHandoff = "";
  lastProof = "";

  override rememberAttempt(sessionId: string, attempt: Attempt): void {
    this.lastAttempt = sessionId;
    super.rememberAttempt(sessionId, attempt);
  }

  override saveHandoff(id: string, handoff: Handoff): void {
    this.lastHandoff = handoff.sessionId;
    this.lastProof = handoff.resultProof;
    super.saveHandoff(id, handoff);
  }
}
