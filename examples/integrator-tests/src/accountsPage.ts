import type { Subject } from "@social-connect/sdk";

const MESSAGES: Readonly<Record<string, string>> = {
  CONNECTED: "connected",
  SUSPENDED: "paused, no action needed",
  RECONNECT_REQUIRED: "please connect again",
  DISCONNECTED: "disconnected",
  DELETING: "being deleted",
};

/** One line for each account, or one without any. A status that the service adds later has a line too. */
export async function accountLines(user: Subject): Promise<readonly string[]> {
  const lines: string[] = [];
  for await (const { status, profile, provider } of user.connections()) {
    lines.push(`${profile?.displayName ?? provider}: ${MESSAGES[status] ?? "being updated"}`);
  }
  return lines.length > 0 ? lines : ["Your accounts: not connected yet"];
}
