/** Why a provider's message is in the security log. */
export type MessageProblem = "signature" | "old" | "future" | "foreign" | "malformed" | "repeated";

/** What a provider's message did. `ignored`: it is genuine, and changes nothing. */
export interface MessageOutcome {
  readonly result: "accepted" | "ignored" | "refused";
  readonly problem: MessageProblem | null;
}

export function refused(problem: MessageProblem): MessageOutcome {
  return { result: "refused", problem };
}
