import type { SocialProvider } from "@social-connect/contract";
import type { ConsentedProfile } from "@social-connect/domain";
import { PROVIDER_FIXTURES, randomFor, randomText, UNICODE_NAME } from "@social-connect/provider-fixtures";
import { PROVIDERS } from "./providers.ts";
import { type Script, scriptOf } from "./scripts.ts";

/** An account at a provider. Every valid name is an account; its id and profile follow from the name, not from the seed. */
export interface Account {
  readonly provider: SocialProvider;
  readonly name: string;
  /** Channel id, open id or user id, in the provider's form. */
  readonly accountId: string;
  /** The same for accounts of one person at this provider. */
  readonly personKey: string;
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly followers: number;
  readonly postCount: number;
  readonly postGapHours: number;
  readonly script: Script;
}

const ACCOUNT_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const known = new Map<string, Account>();

export function accountKey(provider: SocialProvider, name: string): string {
  return `${provider} ${name}`;
}

/** null for an invalid name, and for a script that this provider does not have. */
export function findAccount(provider: SocialProvider, name: string): Account | null {
  const key = accountKey(provider, name);
  const found = known.get(key);
  if (found !== undefined) return found;
  const script = scriptOf(provider, name);
  if (script === null || !ACCOUNT_NAME.test(name)) return null;
  const made = makeAccount(provider, name, script);
  known.set(key, made);
  return made;
}

function makeAccount(provider: SocialProvider, name: string, script: Script): Account {
  const random = randomFor("account", provider, name);
  const words = name.replaceAll(/[-_.]+/g, " ");
  return {
    provider,
    name,
    accountId: PROVIDERS[provider].createAccountId(random),
    personKey: randomText(randomFor("person", provider, script.person ?? name), 21),
    displayName: script.texts === "unicode" ? UNICODE_NAME : words.replace(/^./, (first) => first.toUpperCase()),
    handle: name.toLowerCase().replaceAll("-", "_"),
    description: script.summary,
    followers: random.int(300, 300_000),
    postCount: script.postCount ?? random.int(46, 60),
    postGapHours: script.postGapHours ?? random.int(19, 23),
    script,
  };
}

export interface AccountProfile extends ConsentedProfile {
  readonly providerUserKey: string | null;
}

export function readAccount(account: Account): AccountProfile {
  const { provider, name, accountId, displayName, script } = account;
  const isRefused = script.refusesFields && PROVIDER_FIXTURES[provider].refusedFields.profile !== null;
  const description = isRefused ? null : account.description;
  return {
    providerAccountId: accountId,
    displayName,
    avatarUrl: `https://media.example.test/avatars/${name}.svg`,
    description,
    ...PROVIDERS[provider].accountFields(account),
  };
}
