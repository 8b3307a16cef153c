import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { type ReportWait, withMigrationTurn } from "../database/migrationTurn.ts";
import type { Secret } from "../secrets/secret.ts";
import { planRoles, ROLE_KINDS, type RoleKind, type RoleNames } from "./plan.ts";
import { scramVerifier } from "./scramVerifier.ts";

export interface RoleOptions {
  readonly names: RoleNames;
  /** The passwords of the roles whose password is set. */
  readonly passwords: Partial<Readonly<Record<RoleKind, Secret>>>;
  readonly isDryRun: boolean;
}

/** A change of an owner waits for readers and writers of the table, and others wait behind it; see `MigrationOptions`. */
const LOCK_TIMEOUT_MS = 800;
const LOCK_NOT_AVAILABLE = "55P03";
const TRIES = 60;
const RETRY_MS = 500;

/**
 * Creates the roles, gives the tables to the owner and grants each role what it needs, also on the tables of later migrations. Runs
 * beside the service, and changes only what differs. Needs an administrator of the database: a superuser, or its owner with
 * CREATEROLE.
 *
 * @returns the statements, without passwords; a dry run runs them in a transaction that it rolls back
 */
export async function setUpRoles(url: string, options: RoleOptions, onWait?: ReportWait): Promise<readonly string[]> {
  return withMigrationTurn(url, (client) => grantRoles(client, options), onWait);
}

async function grantRoles(client: pg.Client, { names, passwords, isDryRun }: RoleOptions): Promise<readonly string[]> {
  await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
  const done: string[] = [];
  if (isDryRun) await client.query("BEGIN");
  const passwordStatements = ROLE_KINDS.filter((kind) => passwords[kind] !== undefined);
  const shown = passwordStatements.map((kind) => `ALTER ROLE ${names[kind]} PASSWORD '…'`);
  for (;;) {
    const planned = await planRoles(client, names);
    if (planned.length === 0) break;
    // A statement without effect would be planned again each time.
    if (planned.every((statement) => done.includes(statement))) throw new Error(`no effect: ${planned.join("; ")}`);
    for (const statement of planned) await run(client, statement, isDryRun);
    done.push(...planned);
  }
  if (isDryRun) {
    await client.query("ROLLBACK");
    return [...done, ...shown];
  }
  for (const kind of passwordStatements) await setPassword(client, names[kind], passwords[kind]);
  return [...done, ...shown];
}

async function setPassword(client: pg.Client, name: string, password: Secret | undefined): Promise<void> {
  if (password === undefined) return;
  await client.query(`ALTER ROLE ${name} PASSWORD ${pg.escapeLiteral(scramVerifier(password.reveal()))}`);
}

/** In a transaction, a statement that has failed cannot be repeated. */
async function run(client: pg.Client, statement: string, isInTransaction: boolean): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await client.query(statement);
      return;
    } catch (error) {
      const { code, message } = error as { readonly code?: string; readonly message: string };
      if (code !== LOCK_NOT_AVAILABLE || tries === TRIES || isInTransaction)
        throw new Error(`${message} (${statement})`);
      await setTimeout(RETRY_MS);
    }
  }
}
