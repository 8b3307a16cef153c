import { Command } from "commander";
import { addAdminCommands } from "./commands/admin.ts";
import { addClientCommands } from "./commands/client.ts";
import { addConnectionCommand } from "./commands/connection.ts";
import { addDatabaseUrlCommand } from "./commands/databaseUrl.ts";
import { addDeploymentCommands, addDoctorCommand, addSweepCommand } from "./commands/deployment.ts";
import { addDevCommand } from "./commands/dev.ts";
import { addDistributeCommand } from "./commands/distribute.ts";
import { addEraseCommand } from "./commands/erase.ts";
import { addErasureCommands } from "./commands/erasures.ts";
import { addEventCommands } from "./commands/events.ts";
import { addExportCommands } from "./commands/export.ts";
import { addImportCommand } from "./commands/import.ts";
import { addInspectionCommands } from "./commands/inspection.ts";
import { addJobCommands } from "./commands/jobs.ts";
import { addKeyCommands } from "./commands/keys.ts";
import { refuseRepeatedOptions } from "./commands/operator.ts";
import { addQuotaCommands } from "./commands/quota.ts";
import { addRolesCommand } from "./commands/roles.ts";
import { addStartCommands } from "./commands/start.ts";

/** The command line. Actions load what they need, so that help is fast. */
export function createProgram(): Command {
  const program = new Command("social-connect")
    .description("Link social accounts, read their content.")
    .exitOverride()
    .configureOutput({ writeErr: () => undefined });
  addStartCommands(program);
  addDeploymentCommands(program);
  addAdminCommands(program);
  addDatabaseUrlCommand(program);
  addRolesCommand(program);
  addDistributeCommand(program);
  addDevCommand(program);
  addClientCommands(program);
  addInspectionCommands(program);
  addDoctorCommand(program);
  addKeyCommands(program);
  addJobCommands(program);
  addQuotaCommands(program);
  addSweepCommand(program);
  addConnectionCommand(program);
  addEraseCommand(program);
  addErasureCommands(program);
  addExportCommands(program);
  addEventCommands(program);
  addImportCommand(program);
  refuseRepeatedOptions(program);
  return program;
}
