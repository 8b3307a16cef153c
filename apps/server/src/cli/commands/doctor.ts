import type { Command } from "commander";
import { jsonOption, type OutputOptions } from "./operator.ts";
import { print, table } from "./output.ts";

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
