import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { nameSome } from "../../platform/nameSome.ts";
import { DATABASE_ONLY, jsonOption, type OutputOptions, withService } from "./operator.ts";
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
    .action(async () => {
      const { rotateEncryption } = await import("../../composition/deploymentCommands.ts");
      const counts = await rotateEncryption(settingsFromEnvironment({ role: "both" }));
      const { reencrypted, unreadable, stale, searched } = counts;
      const rest = stale === 0 ? "no value needs the other keys" : `${stale} still need another key; run it again`;
      console.log(`values re-encrypted: ${reencrypted}; ${rest}`);
      if (unreadable > 0) console.log(`${unreadable} could not be decrypted: altered, or of another row; see the log`);
      for (const [column, { values, stale: left }] of Object.entries(searched)) {
        console.log(`${column}: ${values} values${left === 0 ? "" : `, ${left} need another key`}`);
      }
      if (stale > 0) process.exitCode = 1;
    });
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
