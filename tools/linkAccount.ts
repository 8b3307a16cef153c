/** What a backend does with the SDK: a user links an account, and its posts are read. */
import assert from "node:assert/strict";
import { goThroughConsent } from "../examples/demo/src/browser.ts";
import type { TargetFile } from "../packages/conformance/src/target/devFile.ts";
import {
  type Capability,
  type ContentItem,
  SocialConnect,
  type SocialProvider,
  type Subject,
} from "../packages/sdk/src/index.ts";

const CAPABILITIES: readonly Capability[] = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"];
export const USER = "user-mara";

type Consumer = Pick<TargetFile["consumer"], "baseUrl" | "key" | "returnUrl" | "tenantKeys">;

export interface Application {
  readonly social: SocialConnect;
  readonly tenantKey: string;
  readonly returnUrl: string;
  readonly consent: (session: Awaited<ReturnType<Subject["connect"]>>) => Promise<unknown>;
}

/** An application whose users consent over HTTP. */
export function applicationOf({ baseUrl, key, tenantKeys, returnUrl }: Consumer): Application {
  return {
    social: new SocialConnect({ baseUrl, key }),
    tenantKey: String(tenantKeys[0]),
    returnUrl,
    consent: ({ launchUrl, launchToken }) => goThroughConsent(launchUrl, launchToken.reveal(), returnUrl),
  };
}

/** The provider's first account, for a user. */
interface Account {
  readonly provider?: SocialProvider;
  readonly capabilities?: readonly Capability[];
  readonly externalSubjectId?: string;
}

export async function linkAccount(
  { social, tenantKey, returnUrl, consent }: Application,
  { provider = "PROVIDER_A", capabilities = CAPABILITIES, externalSubjectId = USER }: Account = {},
) {
  const user = social.forSubject({ tenantKey, externalSubjectId });
  const session = await user.connect({ provider, capabilities, returnUrl });
  await consent(session);
  const result = await user.connectResult(session.id).wait();
  assert(result.status === "COMPLETED", `${provider}: the attempt ended ${result.status}, ${result.resultCode}`);
  return { user, connectionId: result.connectionId };
}

/** Links an account, and reads its posts of the last two months. */
export async function linkAndRead(application: Application, account?: Account) {
  const { user, connectionId } = await linkAccount(application, account);
  await user.refresh(connectionId).wait();
  const window = application.social.recentWindow(60);
  await user.refresh(connectionId, { window }).scanAll();
  const posts: ContentItem[] = [];
  for await (const post of user.content(connectionId, window)) posts.push(post);
  assert(posts.length > 0, "the account has posts");
  return { user, connectionId, posts };
}
