import { appScopedIdFor } from "../../../apps/simulator/src/accounts/ids.ts";
import { readTables } from "../../../packages/testkit/src/database.ts";
import { findConnections } from "../../facts/facts.ts";
import type { RunContext } from "../context.ts";
import type { Account } from "../known.ts";

/** Testers are entered by an admin and are not data of a connection, and probes are of this test. */
const MAY_NAME_ACCOUNTS = /^public\.tester$|^probe\./;
/** Prefixes of the simulator's tokens: no plaintext token may be stored, for any account. */
const TOKEN = /ya29\.a0[\w-]{20}|\b1\/\/0[\w-]{20}|\bact\.[\w-]{20}|\brft\.[\w-]{20}|IGAA\w{20}/;
const SUBJECT = /subject-\d{4}-\d{2}-[ab]/g;

/** An account without a connection has left nothing in any table of any schema: no id, name, text or post of it. */
export async function checkTraces(context: RunContext): Promise<void> {
  const { known, database, violate } = context;
  const tables = await readTables(database, MAY_NAME_ACCOUNTS);
  const standing = new Set((await findConnections(database)).map(({ accountId }) => accountId));
  for (const account of known.accounts.values()) {
    if (standing.has(account.accountId)) continue;
    const needles = await needlesOf(context, account);
    for (const { table, rows, text } of tables) {
      const needle = needles.find((candidate) => text.includes(candidate));
      if (needle === undefined) continue;
      const row = rows.find((candidate) => candidate.includes(needle)) ?? "";
      violate("no trace of an erased account", `${account.name}: ${needle} stands in ${table}: ${row.slice(0, 400)}`);
    }
  }
  for (const { table, rows } of tables) {
    if (rows.some((row) => TOKEN.test(row))) violate("no token is stored in clear", `a plaintext token in ${table}`);
  }
}

/** After the results of attempts have expired, only existing connections contain a subject. */
export async function checkSubjects({ database, violate }: RunContext): Promise<void> {
  const standing = new Set((await findConnections(database)).map(({ subject }) => subject));
  for (const { table, text } of await readTables(database, MAY_NAME_ACCOUNTS)) {
    const left = [...new Set(text.match(SUBJECT) ?? [])].filter((subject) => !standing.has(subject));
    if (left.length > 0) violate("no trace of an erased subject", `${left.slice(0, 5).join(", ")} in ${table}`);
  }
}

/** Titles and handles contain the account's name; post ids and account ids do not. */
async function needlesOf(context: RunContext, { name, provider, accountId }: Account): Promise<string[]> {
  const posts = await context.provider.posts(provider, name);
  // At some providers a second id is in use.
  const scopedId = appScopedIdFor(accountId, context.clientId);
  return [name, accountId, scopedId, ...posts.map(({ id }) => id)];
}
