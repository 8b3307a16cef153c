import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { retentionReport } from "../../modules/retention/retentionReport.ts";
import { type ErasureCheck, verifyErasure } from "../../modules/retention/verifyErasure.ts";
import { MovableClock } from "../../platform/time/clock.ts";
import { DATABASE_ONLY, jsonOption, type OutputOptions, readConnectionId } from "./operator.ts";
import { print } from "./output.ts";

/** Commands that only read. */
export function addInspectionCommands(program: Command): void {
  program
    .command("verify-erasure")
    .argument("<connection id>", "", readConnectionId)
    .summary("search every table for a connection's id; exits with 1 unless only receipts and audit entries have it")
    .addOption(jsonOption())
    .action(async (id: string, { json = false }: OutputOptions) => {
      const { inspect } = await import("../../composition/operatorAccess.ts");
      const settings = settingsFromEnvironment(DATABASE_ONLY);
      const check = await inspect(settings, ({ pool }) => verifyErasure(pool, id));
      print(check, { json, text: describe(check) });
      if (check.status !== "erased") process.exitCode = 1;
    });
  program
    .command("retention-report")
    .summary("show the age of the oldest stored observation")
    .action(async () => {
      const { inspect } = await import("../../composition/operatorAccess.ts");
      const report = await inspect(settingsFromEnvironment(DATABASE_ONLY), async ({ pool }) =>
        // A clock that was not moved reports the system's time.
        retentionReport(pool, await new MovableClock(pool).now()),
      );
      console.log(JSON.stringify(report));
    });
}

function describe({ status, kept, traces, searched, unsearched }: ErasureCheck): string {
  const reasons = [
    ...unsearched.map(
      (table) => `${table}: this database user cannot see all of its rows; use the owner of the tables`,
    ),
    ...(kept.length + traces.length === 0
      ? [
          "no row has the id, not even a receipt: it was erased over 7 days ago or never here; check it and DATABASE_URL",
        ]
      : []),
  ];
  return [
    status,
    ...traces.map(({ column, rows }) => `${column}: ${rows} rows have the id`),
    ...kept.map(
      ({ column, rows, what, until }) =>
        `${column}: ${rows} ${what} keep the id, which is opaque, until ${until.toISOString()}`,
    ),
    ...reasons,
    `\nsearched ${searched.length} tables (rows): ${searched.map(({ table, rows }) => `${table} (${rows})`).join(", ")}`,
  ].join("\n");
}
