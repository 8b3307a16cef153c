import type { Command } from "commander";
import { jsonOption, type OutputOptions, withService } from "./operator.ts";
import { print, table } from "./output.ts";

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
