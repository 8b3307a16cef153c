// #region connect-and-read
import { launchPage, SocialConnect } from "@social-connect/sdk";

const social = SocialConnect.fromEnv(); // SOCIAL_CONNECT_URL and SOCIAL_CONNECT_KEY
const userOf = (userId: string) => social.forSubject({ tenantKey: "acme", externalSubjectId: userId });

/** A Connect button: answer with the page, which leads to the consent, and keep the id in your user's session. */
export async function connect(userId: string) {
  const attempt = await userOf(userId).connect({
    provider: "PROVIDER_A", // YouTube; PROVIDER_B is TikTok and PROVIDER_C Instagram
    capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
    returnUrl: "https://app.example.com/connected",
  });
  return { attemptId: attempt.id, page: launchPage(attempt) };
}

/** The return page, with the id from the session. */
export async function readPosts(userId: string, attemptId: string) {
  const user = userOf(userId);
  const { connectionId } = await user.connectResult(attemptId).wait();
  if (connectionId === null) return []; // declined, expired or failed
  const window = social.recentWindow(7);
  await user.refresh(connectionId, { window }).scanAll();
  return user.content(connectionId, window).toArray({ limit: 100 });
}

/** Revokes the consent and erases everything: two receipts. */
export async function disconnect(userId: string, connectionId: string) {
  const disconnection = await userOf(userId).disconnect(connectionId);
  return disconnection.settled();
}
// #endregion connect-and-read
