import type { Provider } from "../../../packages/conformance/src/index.ts";
import { SOCIAL_PROVIDERS } from "../../../packages/contract/src/index.ts";
import {
  ACCOUNT_SCRIPTS,
  type AccountScript,
  PROVIDER_FIXTURES,
} from "../../../packages/provider-fixtures/src/index.ts";
import type { Model } from "./model.ts";

const ordinaryAt = (provider: Provider) => PROVIDER_FIXTURES[provider].ordinaryAccounts.slice(0, 2);
const NOT_EVERYWHERE: readonly (keyof typeof ACCOUNT_SCRIPTS)[] = [
  "revoke-fails-twice",
  "revoke-rejected",
  "sibling-1",
  "sibling-2",
  "rotating-refresh",
  "no-channel",
  "partial-scopes",
  "no-shares",
  "flat-token",
  "comments-off",
  "hidden-likes",
];
const scriptedAt = (provider: Provider) =>
  NOT_EVERYWHERE.filter((name) => {
    const { providers }: AccountScript = ACCOUNT_SCRIPTS[name];
    return providers?.includes(provider) ?? false;
  });
export const WITH_SIBLINGS = SOCIAL_PROVIDERS.filter((provider) => scriptedAt(provider).includes("sibling-1"));
const SCRIPTED_EVERYWHERE = [
  "deny",
  "provider-error",
  "no-scopes",
  "exchange-refused",
  "exchange-5xx",
  "expired-refresh",
  "rate-limited",
  "flaky-5xx",
  "down",
  "removed-app",
  "empty",
  "not-a-tester",
  "unicode",
];

/** An account to consent with: usually an ordinary one, otherwise a scripted account. */
export function accountFor(model: Model, provider: Provider): string {
  const { random, theme } = model;
  const weights =
    theme === "siblings" ? { ordinary: 4, scripted: 3, everywhere: 1 } : { ordinary: 6, scripted: 2, everywhere: 2 };
  const lists = { ordinary: ordinaryAt(provider), scripted: scriptedAt(provider), everywhere: SCRIPTED_EVERYWHERE };
  return random.pick<string>(lists[random.weighted(weights)]);
}
