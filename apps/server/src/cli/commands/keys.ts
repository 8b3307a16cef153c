import type { Command } from "commander";
import type { RevokedKey } from "../../modules/operations/revokeKey.ts";
import {
  type ChangeOptions,
  dryRunOption,
  findApplication,
  jsonOption,
  limitOption,
  type OutputOptions,
  readId,
  withService,
} from "./operator.ts";
import { print, table } from "./output.ts";

export function addKeyCommands(program: Command): void {
  const keys = program.command("keys").summary("list and revoke application keys and keys of the admin API");
  keys
    .command("list")
    .summary("the keys, newest first, without their secrets")
    .option("--application <slug>", "only those of this client; its id, too")
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(list);
  keys
    .command("revoke")
    .argument("<key id>", "the part of the key before its dot, without `scadm_`", readId("a key"))
    .summary("revoke a key: its next call fails")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action(revoke);
}

async function list({ application, limit, json = false }: ListOptions): Promise<void> {
  const { listKeys } = await import("../../modules/operations/listKeys.ts");
  const keys = await withService(async (service) => {
    const client = application === undefined ? null : await findApplication(service, application);
    return listKeys(service, { limit, ...(client && { applicationId: client.id }) });
  });
  const rows = keys.map(({ id, type, owner, scope, createdAt, expiresAt, lastUsedAt, revokedAt }) => {
    return { id, type, owner, scope, created: createdAt, expires: expiresAt, lastUsed: lastUsedAt, revoked: revokedAt };
  });
  print(keys, { json, text: table(rows, "no keys") });
}

/** The last use of the key, and whether its owner has others. */
function consequence({ lastUsedAt, otherKeys }: RevokedKey): string {
  const use = lastUsedAt === null ? "it was never used" : `it was last used at ${lastUsedAt.toISOString()}`;
  const others = { 0: "it is the only active key of its owner", 1: "its owner has 1 other active key" };
  return `${use}; ${others[otherKeys as 0 | 1] ?? `its owner has ${otherKeys} other active keys`}`;
}

interface ListOptions extends OutputOptions {
  readonly application?: string;
  readonly limit: number;
}

async function revoke(id: string, { dryRun = false, json = false }: ChangeOptions): Promise<void> {
  const { revokeKey } = await import("../../modules/operations/revokeKey.ts");
  const key = await withService((service) => revokeKey(service, id, dryRun));
  const name = `the ${key.type} key ${key.id} of ${key.owner}`;
  const text =
    key.revokedAt === null
      ? `would revoke ${name}`
      : `${dryRun ? "already " : ""}revoked ${name} as of ${key.revokedAt.toISOString()}`;
  print({ ...key, dryRun }, { json, text: `${text}\n${consequence(key)}` });
}
