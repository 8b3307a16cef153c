import { z } from "zod";
import { DAY_MS } from "../shared/clock.ts";
import type { ProviderKey } from "../shared/providerKeys.ts";
import { PROVIDER_KEYS } from "../shared/providerKeys.ts";
import { digest, seededRandom } from "../shared/random.ts";
import type { Account } from "./account.ts";
import { ORDINARY_ACCOUNTS } from "./ordinary.ts";
import type { Script } from "./scripts.ts";
import { SCRIPTS } from "./scripts.ts";
import { THEMES } from "./themes.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";

/** Accounts were opened before this moment; far enough back that no post is older than its account. */
const OPENED_BEFORE = Date.UTC(2020, 0, 1);

/** An account that a control call opened beside the built-in ones; the consent page does not list it. */
export const openedAccount = z.strictObject({
  provider: z.enum(PROVIDER_KEYS),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  /** Name of the script that it follows; absent for an account without faults. */
  script: z.string().exactOptional(),
  /** Accounts with the same value belong to the same person. */
  person: z.string().exactOptional(),
});
export type OpenedAccount = Readonly<z.infer<typeof openedAccount>>;

export interface Catalogue {
  /** Adds an account; the account of that name as it is when there is one already. */
  open(account: OpenedAccount): Account;
  opened(): readonly OpenedAccount[];
  /** Closes every opened account. */
  reset(): void;
  all(provider?: ProviderKey): readonly Account[];
  byName(provider: ProviderKey, name: string): Account | undefined;
  byId(provider: ProviderKey, accountId: string): Account | undefined;
}

/** Every test account. Names, ids and texts do not depend on the seed, so lists of testers can be written beforehand. */
export function createCatalogue(reopened: readonly OpenedAccount[] = []): Catalogue {
  const builtIn = PROVIDER_KEYS.flatMap((provider) => [...ordinaryAccounts(provider), ...scriptedAccounts(provider)]);
  let opened: OpenedAccount[] = [];
  let accounts: Account[] = [];
  const byName = new Map<string, Account>();
  const byId = new Map<string, Account>();
  const add = (account: Account): void => {
    accounts.push(account);
    byName.set(`${account.provider} ${account.name}`, account);
    byId.set(`${account.provider} ${account.accountId}`, account);
  };
  const reset = (): void => {
    opened = [];
    accounts = [];
    byName.clear();
    byId.clear();
    for (const account of builtIn) add(account);
  };
  const open = (entry: OpenedAccount): Account => {
    const present = byName.get(`${entry.provider} ${entry.name}`);
    if (present !== undefined) return present;
    const account = buildOpened(entry);
    opened.push(entry);
    add(account);
    return account;
  };
  reset();
  for (const entry of reopened) open(entry);
  return {
    open,
    opened: () => opened,
    reset,
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

/** A few recent posts and the archive, all of whose texts hold the account's name. */
function buildOpened({ provider, name, script, person }: OpenedAccount): Account {
  const followed = SCRIPTS.find((candidate) => candidate.name === script && candidate.providers.includes(provider));
  if (script !== undefined && followed === undefined) throw new Error(`There is no script ${script} at ${provider}`);
  const summary = "Opened by a control call.";
  const own: Script = { ...followed, name, summary, providers: [provider], texts: "named", person: person ?? name };
  const account = build(
    provider,
    { postCount: 5, postGapHours: 24, ...own },
    { displayName: `Owner of ${name}`, handle: name, description: `About ${name}`, theme: themesOf(provider)[0] ?? "" },
    false,
  );
  return { ...account, listed: false };
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
    accountId: ACCOUNT_TRAITS[provider].accountId(script.name),
    personKey: digest("person", provider, script.person ?? script.name)
      .toString("hex")
      .slice(0, 21),
    followers: Math.round(10 ** (2.5 + random.next() * 3)),
    following: random.int(12, 900),
    createdAt: new Date(OPENED_BEFORE - random.int(30, 3_000) * DAY_MS),
    postCount: script.postCount ?? random.int(46, 60),
    postGapHours: script.postGapHours ?? random.int(19, 23),
    listed: true,
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
