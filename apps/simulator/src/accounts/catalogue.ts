import { ORDINARY_SUMMARY, randomFor, UNICODE_NAME } from "@social-connect/provider-fixtures";
import { z } from "zod";
import { DAY_MS } from "../shared/clock.ts";
import { fixturesOf, PROVIDER_KEYS, type ProviderKey } from "../shared/providerKeys.ts";
import { digest } from "../shared/random.ts";
import type { Account } from "./account.ts";
import { SCRIPTS, type Script } from "./scripts.ts";
import { ACCOUNT_TRAITS } from "./traits.ts";

/** Accounts were opened before this date, so that no post is older than its account. */
const OPENED_BEFORE = Date.UTC(2020, 0, 1);

/** An account created through the control API; the consent page does not list it. */
export const createdAccount = z.strictObject({
  provider: z.enum(PROVIDER_KEYS),
  name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/),
  /** The account's script; absent for an account without faults. */
  script: z.string().exactOptional(),
  /** Accounts with the same value belong to the same user. */
  person: z.string().exactOptional(),
});
export type CreatedAccount = Readonly<z.infer<typeof createdAccount>>;

export type Catalogue = ReturnType<typeof createCatalogue>;

/** All test accounts. Names and ids do not depend on the seed, so lists of testers can be written in advance. */
export function createCatalogue(restored: readonly CreatedAccount[] = []) {
  const builtIn = PROVIDER_KEYS.flatMap(builtInAccounts);
  const accounts = new Map<string, Account>();
  let created: CreatedAccount[] = [];
  const add = (account: Account) => accounts.set(`${account.provider} ${account.name}`, account);
  const byName = (provider: ProviderKey, name: string) => accounts.get(`${provider} ${name}`);
  const reset = (): void => {
    created = [];
    accounts.clear();
    for (const account of builtIn) add(account);
  };
  /** Adds an account, or returns the existing account of that name. */
  const create = (entry: CreatedAccount): Account => {
    const present = byName(entry.provider, entry.name);
    if (present !== undefined) return present;
    const account = buildCreated(entry);
    created.push(entry);
    add(account);
    return account;
  };
  reset();
  for (const entry of restored) create(entry);
  return {
    create,
    created: (): readonly CreatedAccount[] => created,
    reset,
    all: (provider?: ProviderKey): readonly Account[] =>
      [...accounts.values()].filter((account) => provider === undefined || account.provider === provider),
    byName,
  };
}

function builtInAccounts(provider: ProviderKey): Account[] {
  const ordinary = { summary: ORDINARY_SUMMARY, providers: [provider] };
  return [
    ...fixturesOf(provider).ordinaryAccounts.map((name) => build(provider, { ...ordinary, name }, true)),
    ...SCRIPTS.filter(({ providers }) => providers.includes(provider)).map((script) => build(provider, script)),
  ];
}

/** An account with a few recent posts and the archive; every post contains the account's name. */
function buildCreated({ provider, name, script, person }: CreatedAccount): Account {
  const followed = SCRIPTS.find((candidate) => candidate.name === script && candidate.providers.includes(provider));
  if (script !== undefined && followed === undefined) throw new Error(`Unknown script at ${provider}: ${script}`);
  const summary = "Created through the control API.";
  const own: Script = { ...followed, name, summary, providers: [provider], texts: "named", person: person ?? name };
  const face = { displayName: `Owner of ${name}`, handle: name, description: `About ${name}` };
  return { ...build(provider, { postCount: 5, postGapHours: 24, ...own }), ...face, listed: false };
}

function build(provider: ProviderKey, script: Script, ordinary = false): Account {
  const random = randomFor("account", provider, script.name);
  return {
    provider,
    name: script.name,
    summary: script.summary,
    ordinary,
    script,
    displayName: script.texts === "unicode" ? UNICODE_NAME : titleCase(script.name),
    handle: script.name.replaceAll("-", "_"),
    description: script.summary,
    accountId: ACCOUNT_TRAITS[provider].accountId(script.name),
    personKey: digest("person", provider, script.person ?? script.name)
      .toString("hex")
      .slice(0, 21),
    followers: Math.round(10 ** (2.5 + random.fraction() * 3)),
    following: random.int(12, 900),
    createdAt: new Date(OPENED_BEFORE - random.int(30, 3_000) * DAY_MS),
    postCount: script.postCount ?? random.int(46, 60),
    postGapHours: script.postGapHours ?? random.int(19, 23),
    listed: true,
    tester: script.notATester !== true,
  };
}

function titleCase(name: string): string {
  return name.replaceAll("-", " ").replaceAll(/\b[a-z]/g, (first) => first.toUpperCase());
}
