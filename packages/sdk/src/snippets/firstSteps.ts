// #region first-steps
import { SocialConnect } from "@social-connect/sdk";

const social = new SocialConnect({
  baseUrl: process.env.SOCIAL_CONNECT_URL ?? "",
  key: process.env.SOCIAL_CONNECT_KEY ?? "",
});
for (const { provider, available } of (await social.readiness()).providers) console.log(provider, available);

// Whose accounts: a tenant of your application, and your own id of the signed-in person.
const user = social.forSubject({ tenantKey: "acme-studio", externalSubjectId: "user-mara" });
// The posts of these days are read after a connect, and daily.
const window = social.recentWindow(7);

for await (const account of user.connections()) {
  console.log(account.provider, account.status, account.profile?.displayName ?? "");
  if (account.status !== "CONNECTED") continue;
  for await (const post of user.content(account.id, window)) {
    const views = post.metrics.find(({ name }) => name === "VIEWS");
    console.log(" ", post.publishedAt, post.title ?? post.description, views?.value ?? views?.reason ?? "");
  }
}
// #endregion first-steps
