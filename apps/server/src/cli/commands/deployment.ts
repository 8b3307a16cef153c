import type { Command } from "commander";
import type { Rotation } from "../../composition/deploymentCommands.ts";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { nameSome } from "../../platform/nameSome.ts";
import {
  type ChangeOptions,
  DATABASE_ONLY,
  dryRunOption,
  jsonOption,
  type OutputOptions,
  withService,
} from "./operator.ts";
import { print, table } from "./output.ts";

/** Commands that change or examine a deployment as a whole. */
export function addDeploymentCommands(program: Command): void {
  program
    .command("migrate")
    .summary("apply database migrations and exit")
    .action(async () => {
      const { migrate } = await import("../../composition/deploymentCommands.ts");
      const applied = await migrate(settingsFromEnvironment(DATABASE_ONLY));
      console.log(applied.length === 0 ? "the database is up to date" : `applied ${nameSome(applied)}`);
    });
  program
    .command("rotate-encryption")
    .summary("re-encrypt stored values with the newest key and exit")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action(async ({ dryRun = false, json = false }: ChangeOptions) => {
      const { rotateEncryption } = await import("../../composition/deploymentCommands.ts");
      const rotation = await rotateEncryption(settingsFromEnvironment({ role: "both" }), dryRun);
      print({ ...rotation, dryRun }, { json, text: describeRotation(rotation, dryRun) });
      if (rotation.stale > 0 && !dryRun) process.exitCode = 1;
    });
}

/** What was done, where, and what to do next. */
function describeRotation(
  { keyId, otherKeyIds, reencrypted, unreadable, stale, searched }: Rotation,
  isDryRun: boolean,
): string {
  const others = nameSome(otherKeyIds);
  const columns = Object.entries(searched).map(([column, { values, stale: left }]) => {
    return `  ${column}: ${values} values${left === 0 ? "" : `, ${left} ${isDryRun ? "to re-encrypt" : "need another key"}`}`;
  });
  const done = isDryRun ? `would re-encrypt ${stale} values` : `re-encrypted ${reencrypted} values`;
  const next = () => {
    if (isDryRun) return stale === 0 ? "there is nothing to do" : "next: run it without --dry-run";
    if (unreadable > 0)
      return `${unreadable} could not be decrypted: altered, or of another row; see the log. Keep the other keys (${others})`;
    if (stale > 0)
      return `${stale} still need another key (${others}), because their rows were in use. Next: run it again`;
    return otherKeyIds.length === 0
      ? "no value needs another key"
      : `no value needs the other keys (${others}). Next: remove them from ENCRYPTION_KEYS, restart every process, and keep them with your backups`;
  };
  return [`${done} with the key ${keyId}`, ...columns, next()].join("\n");
}

export function addDoctorCommand(program: Command): void {
  program
    .command("doctor")
    .summary("check settings, machine, database, issuer and providers; exits with 1 if a check failed")
    .addOption(jsonOption())
    .action(async ({ json = false }: OutputOptions) => {
      const { examine } = await import("../doctor/doctor.ts");
      const findings = await examine(process.env);
      const rows = findings.map(({ check, status, message }) => ({ status, check, message }));
      const remedies = findings.flatMap(({ check, remedy }) => (remedy === null ? [] : [`${check}: ${remedy}.`]));
      const text = [table(rows, "nothing was checked"), ...(remedies.length > 0 ? ["", ...remedies] : [])].join("\n");
      print(findings, { json, text });
      if (findings.some(({ status }) => status === "failed")) process.exitCode = 1;
    });
}

export function addSweepCommand(program: Command): void {
  program
    .command("sweeps")
    .summary("when each periodic task last succeeded, and what is left; exits with 1 if one is late")
    .addOption(jsonOption())
    .action(async ({ json = false }: OutputOptions) => {
      const { readSweeps } = await import("../../modules/operations/readSweeps.ts");
      const { KNOWN_SWEEPS } = await import("../../worker/sweeps.ts");
      const sweeps = await withService((service) => readSweeps(service, KNOWN_SWEEPS));
      const rows = sweeps.map(({ name, isHealthy, succeededAt, failedAt, error, handled, remaining }) => {
        return { name, healthy: isHealthy, succeeded: succeededAt, failed: failedAt, error, handled, remaining };
      });
      print(sweeps, { json, text: table(rows, "no sweeps") });
      if (sweeps.some(({ isHealthy }) => !isHealthy)) process.exitCode = 1;
    });
}
