import { open, rm } from "node:fs/promises";
import { LIMITS } from "@social-connect/contract";
import { checkPersonReason, checkText } from "@social-connect/domain";
import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { findApplication, jsonOption, type OutputOptions, UsageError } from "./operator.ts";
import { print } from "./output.ts";

/** The signature of a file is not valid. */
const EXIT_INVALID = 3;

export function addExportCommands(program: Command): void {
  program
    .command("export")
    .summary("write everything that is stored about one user of a client, as a signed JSON file")
    .requiredOption("--application <slug>", "the client")
    .requiredOption("--tenant <key>", "the tenant of the user", readName("--tenant"))
    .requiredOption("--subject <id>", "the external subject id of the user", readName("--subject"))
    .requiredOption("--reason <text>", "the reason for the audit log, for example a ticket; without the user's id")
    .requiredOption("--to <file>", "a file that does not exist yet")
    .addOption(jsonOption())
    .action(write);
  program
    .command("verify-export")
    .argument("<file>")
    .summary("check that this deployment has signed an export and that it is unchanged; exits with 3 otherwise")
    .addOption(jsonOption())
    .action(verify);
}

/** No user has another name, such as that of an unset variable of a shell, so a file about them would be wrong. */
const readName = (option: string) => (value: string) => {
  const refusal = checkText(value, option, { maxLength: LIMITS.scopeStringMaxLength });
  if (refusal !== null) throw new UsageError(refusal.message);
  return value;
};

interface ExportOptions extends OutputOptions {
  readonly application: string;
  readonly tenant: string;
  readonly subject: string;
  readonly reason: string;
  readonly to: string;
}

async function write({ application, tenant, subject, reason, to, json = false }: ExportOptions): Promise<void> {
  const refusal = checkPersonReason({ reason, externalSubjectId: subject });
  if (refusal !== null) throw new UsageError(`--reason: ${refusal.message}`);
  const { openForOperator } = await import("../../composition/operatorAccess.ts");
  const { exportPerson } = await import("../../modules/people/exportPerson.ts");
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  const settings = settingsFromEnvironment({ role: "both" });
  const isStored = await openForOperator(settings, "with encryption keys", async ({ service }) => {
    const client = await findApplication(service, application);
    const scope = { application: client, tenantKey: tenant, externalSubjectId: subject };
    // Never over another file.
    const file = await open(to, "wx", 0o600);
    let isComplete = false;
    try {
      const exported = await exportPerson(service, SYSTEM, scope, reason);
      for await (const part of exported.parts) await file.appendFile(part);
      await file.sync();
      isComplete = true;
      return exported.isStored;
    } finally {
      await file.close();
      // It would be in the way of the next attempt.
      if (!isComplete) await rm(to);
    }
  });
  const text = isStored
    ? `wrote what is stored about the user to ${to}`
    : `nothing is stored about the user; ${to} states it, with the receipts that are left. Check the names if you expected data`;
  print({ file: to, isStored }, { json, text });
}

async function verify(path: string, { json = false }: OutputOptions): Promise<void> {
  const { encryptionKeysOf } = await import("../../composition/createService.ts");
  const { createSecretBox } = await import("../../platform/secrets/secretBox.ts");
  const { isSignedExport, publicKeyOf } = await import("../../modules/people/exportSignature.ts");
  // Older keys too: a key that was rotated since has signed older files.
  const { keys } = await encryptionKeysOf(settingsFromEnvironment({ role: "both" }));
  const publicKeys = keys.map((key) => publicKeyOf(createSecretBox([key])));
  const file = await open(path);
  const isValid = await isSignedExport(file.createReadStream(), publicKeys);
  if (!isValid) process.exitCode = EXIT_INVALID;
  const text = isValid
    ? "this deployment has signed the file, and it is unchanged"
    : "the file was changed, or a key signed it that this deployment does not have";
  print({ file: path, isValid }, { json, text });
}
