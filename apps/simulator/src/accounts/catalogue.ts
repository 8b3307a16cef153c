import { DAY_MS } from "../clock.ts";
import { digest, seededRandom } from "../random.ts";
import type { ProviderKey } from "../wire.ts";
import { PROVIDER_KEYS } from "../wire.ts";
import type { Account } from "./account.ts";
import { accountIdFor } from "./ids.ts";
import { ORDINARY_ACCOUNTS } from "./ordinary.ts";
import type { Script } from "./scripts.ts";
import { SCRIPTS } from "./scripts.ts";
import { THEMES } from "./themes.ts";

/** Accounts were opened before this moment; far enough back that no post is older than its account. */
const OPENED_BEFORE = Date.UTC(2020, 0, 1);

export interface Catalogue {
  all(provider?: ProviderKey): readonly Account[];
  byName(provider: ProviderKey, name: string): Account | undefined;
  byId(provider: ProviderKey, accountId: string): Account | undefined;
}

/** Every test account. Names, ids and texts do not depend on the seed, so lists of testers can be written beforehand. */
export function createCatalogue(): Catalogue {
  const accounts = PROVIDER_KEYS.flatMap((provider) => [...ordinaryAccounts(provider), ...scriptedAccounts(provider)]);
  const byName = new Map(accounts.map((account) => [`${account.provider} ${account.name}`, account]));
  const byId = new Map(accounts.map((account) => [`${account.provider} ${account.accountId}`, account]));
  return {
    all: (provider) =>
      provider === undefined ? accounts : accounts.filter((account) => account.provider === provider),
    byName: (provider, name) => byName.get(`${provider} ${name}`),
    byId: (provider, accountId) => byId.get(`${provider} ${accountId}`),
  };
}

function ordinaryAccounts(provider: ProviderKey): Account[] {
  return ORDINARY_ACCOUNTS.filter((entry) => entry.provider === provider).map((entry) =>
    build(
      provider,
      { name: entry.name, summary: "An ordinary account with dozens of posts.", providers: [provider] },
      entry,
      true,
    ),
  );
}

function scriptedAccounts(provider: ProviderKey): Account[] {
  const themes = themesOf(provider);
  return SCRIPTS.filter((script) => script.providers.includes(provider)).map((script, index) =>
    build(
      provider,
      script,
      {
        displayName: script.texts === "unicode" ? "Ünïcødé 統一碼 🦜 שלום" : titleCase(script.name),
        handle: script.name.replaceAll("-", "_"),
        description: script.summary,
        theme: themes[index % themes.length] ?? "boats",
      },
      false,
    ),
  );
}

interface Face {
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly theme: string;
}

function build(provider: ProviderKey, script: Script, face: Face, ordinary: boolean): Account {
  const random = seededRandom("account", provider, script.name);
  return {
    ...face,
    provider,
    name: script.name,
    summary: script.summary,
    ordinary,
    script,
    accountId: accountIdFor(provider, script.name),
    personKey: digest("person", provider, script.person ?? script.name)
      .toString("hex")
      .slice(0, 21),
    followers: Math.round(10 ** (2.5 + random.next() * 3)),
    following: random.int(12, 900),
    createdAt: new Date(OPENED_BEFORE - random.int(30, 3_000) * DAY_MS),
    postCount: script.postCount ?? random.int(46, 60),
    postGapHours: script.postGapHours ?? random.int(19, 23),
    tester: script.tester ?? true,
  };
}

function themesOf(provider: ProviderKey): readonly string[] {
  const used = ORDINARY_ACCOUNTS.filter((entry) => entry.provider === provider).map((entry) => entry.theme);
  return used.filter((theme) => theme in THEMES);
}

function titleCase(name: string): string {
  return name.replaceAll("-", " ").replace(/^./, (first) => first.toUpperCase());
}
