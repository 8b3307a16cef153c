import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { retentionReport } from "../../modules/retention/retentionReport.ts";
import { isErased } from "../../modules/retention/verifyErasure.ts";
import { MovableClock } from "../../platform/clock.ts";
import { DATABASE_ONLY } from "./databaseOnly.ts";
import { readConnectionId } from "./operator.ts";

/** Commands that only read. */
export function addInspectionCommands(program: Command): void {
  program
    .command("verify-erasure")
    .argument("<connection id>", "", readConnectionId)
    .summary("check that a connection's data is erased")
    .action(async (id: string) => {
      const { inspect } = await import("../../composition/operatorAccess.ts");
      const erased = await inspect(settingsFromEnvironment(DATABASE_ONLY), ({ pool }) => isErased(pool, id));
      console.log(erased ? "erased" : "not erased");
      if (!erased) process.exitCode = 1;
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
