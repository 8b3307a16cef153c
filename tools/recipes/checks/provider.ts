/** Runs in a scratch copy after the provider recipe: an account at PROVIDER_D works with the server and with the mocks. */
import assert from "node:assert/strict";
import type { SocialProvider } from "../../../packages/sdk/src/index.ts";
import { linkAndRead } from "../../linkAccount.ts";
import type { Target } from "./targets.ts";

const provider = "PROVIDER_D" as SocialProvider;

export default async function check(target: Target): Promise<void> {
  const { providers } = await target.social.readiness();
  assert.deepEqual(
    providers.find((one) => one.provider === provider),
    { provider, available: true },
    "it can be connected",
  );

  const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_LOOKUP", "CONTENT_METRICS"] as const;
  const { user, connectionId, posts } = await linkAndRead(target, { provider, capabilities });
  const connection = await user.connection(connectionId);
  assert.deepEqual([connection.provider, connection.status], [provider, "CONNECTED"]);
  assert.match(connection.profile?.displayName ?? "", /./, "the profile has a name");
  assert.match(connection.profile?.profileUrl ?? "", /clips\.example/, "the profile has the provider's URL");
  const counts = posts.flatMap(({ metrics }) => metrics.flatMap(({ value }) => value ?? []));
  assert(counts.length > posts.length, "posts have metrics");

  const newest = posts.find(({ availability }) => availability === "AVAILABLE");
  const looked = await user.lookup(connectionId, newest?.canonicalUrl ?? "").wait();
  assert.equal(looked.resultProviderContentId, newest?.providerContentId, "a lookup by URL finds the post");

  const disconnection = await user.disconnect(connectionId);
  assert.equal(await disconnection.settled(), "revoked");
}
