import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { nameSome } from "../../platform/nameSome.ts";
import { DATABASE_ONLY } from "./databaseOnly.ts";

/** Commands that change a deployment as a whole. */
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
    .command("admin")
    .summary("manage the list of admins")
    .command("add <email>")
    .summary("add an admin by verified email address")
    .action(async (email: string) => {
      const { addAdminToDeployment } = await import("../../composition/deploymentCommands.ts");
      const isNew = await addAdminToDeployment(settingsFromEnvironment(DATABASE_ONLY), email);
      console.log(isNew ? `added admin ${email}` : `${email} is already an admin`);
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
