import type { SocialConnect, SubjectScope } from "@social-connect/sdk";

/** The application that the recipes test: what its return page says, once the browser is back. */
export async function welcome(social: SocialConnect, scope: SubjectScope, sessionId: string): Promise<string> {
  const user = social.forSubject(scope);
  const result = await user.connectResult(sessionId).wait();
  if (result.status === "DENIED") return "You declined. You can connect an account whenever you like.";
  if (result.status !== "COMPLETED") return "That did not work. Please try again.";
  const { profile } = await user.connection(result.connectionId);
  return `Welcome, ${profile?.displayName ?? "friend"}!`;
}
