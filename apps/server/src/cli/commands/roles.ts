import { type Command, Option } from "commander";
import { readNamedSecret, SecretSourceError } from "../../config/secretSources.ts";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import { type ChangeOptions, DATABASE_ONLY, dryRunOption, jsonOption, UsageError } from "./operator.ts";
import { print } from "./output.ts";

const ROLES = {
  owner: "owns the tables and runs migrations",
  runtime: "of api and worker processes: reads and writes rows",
  monitor: "reads states, times and counts; no credential, name or text",
} as const;
type Kind = keyof typeof ROLES;
const KINDS = Object.keys(ROLES) as Kind[];

type RolesOptions = ChangeOptions &
  Readonly<Record<Kind, string>> &
  Readonly<Record<`${Kind}PasswordFile`, Secret | undefined>>;

export function addRolesCommand(program: Command): void {
  const command = program
    .command("roles")
    .summary("create the database's roles with the privileges that they need, for a deployment with MIGRATE=off")
    .description(
      "Create the database's roles with the privileges that they need. DATABASE_URL names an administrator of the database. " +
        "Repeat it after an upgrade.",
    );
  for (const kind of KINDS) {
    command.addOption(
      new Option(`--${kind} <name>`, ROLES[kind])
        .argParser((name: string) => readName(kind, name))
        .default(`social_connect_${kind}`),
    );
  }
  for (const kind of KINDS) {
    const option = `--${kind}-password-file`;
    command.addOption(
      new Option(`${option} <file>`, "a file with its new password").argParser((path: string) =>
        readPassword(option, path),
      ),
    );
  }
  command.addOption(dryRunOption()).addOption(jsonOption()).action(run);
}

async function run({ dryRun = false, json = false, ...options }: RolesOptions): Promise<void> {
  const { owner, runtime, monitor } = options;
  if (new Set([owner, runtime, monitor]).size < KINDS.length)
    throw new UsageError("the roles must have different names");
  const { withSessionUrl } = await import("../../composition/deploymentDatabase.ts");
  const { setUpRoles } = await import("../../platform/roles/roles.ts");
  const passwords = Object.fromEntries(
    KINDS.flatMap((kind) => {
      const password = options[`${kind}PasswordFile`];
      return password === undefined ? [] : [[kind, password]];
    }),
  );
  const names = { owner, runtime, monitor };
  const statements = await withSessionUrl(settingsFromEnvironment(DATABASE_ONLY), (url) =>
    setUpRoles(url, { names, passwords, isDryRun: dryRun }, console.error),
  );
  const text = statements.length === 0 ? "the roles are up to date" : statements.map((one) => `${one};`).join("\n");
  print({ roles: names, statements, dryRun }, { json, text });
}

function readName(kind: Kind, name: string): string {
  if (/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(name)) return name;
  throw new UsageError(`--${kind} must have small letters, digits and _, not ${name}`);
}

function readPassword(option: string, path: string): Secret {
  try {
    return new Secret(readNamedSecret(option, path));
  } catch (error) {
    if (error instanceof SecretSourceError) throw new UsageError(`${option}: ${error.message}`);
    throw error;
  }
}
