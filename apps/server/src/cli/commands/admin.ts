import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import { DATABASE_ONLY, jsonOption, type OutputOptions, withService } from "./operator.ts";
import { print, table } from "./output.ts";

/** The list of admins, for the first one and for a time when no api runs. */
export function addAdminCommands(program: Command): void {
  const admin = program.command("admin").summary("list, add and remove admins");
  admin.command("list").summary("the admins, oldest first").addOption(jsonOption()).action(list);
  admin.command("add <email>").summary("add an admin by verified email address").action(add);
  admin
    .command("remove <email>")
    .summary("remove an admin: their sessions and keys end with the next call")
    .addOption(jsonOption())
    .action(remove);
}

async function list({ json = false }: OutputOptions): Promise<void> {
  const { listAdmins } = await import("../../modules/admins/admins.ts");
  const admins = await withService((service) => listAdmins(service, {}));
  const shown = admins.map(({ email, addedAt, addedBy, boundAt }) => ({ email, addedAt, addedBy, boundAt }));
  const rows = shown.map(({ email, addedAt, addedBy, boundAt }) => {
    return { email, added: addedAt, by: addedBy, firstSignIn: boundAt };
  });
  print(shown, { json, text: table(rows, "no admins") });
}

async function add(email: string): Promise<void> {
  const { addAdminToDeployment } = await import("../../composition/deploymentCommands.ts");
  const isNew = await addAdminToDeployment(settingsFromEnvironment(DATABASE_ONLY), email);
  console.log(isNew ? `added admin ${email}` : `${email} is already an admin`);
}

async function remove(address: string, { json = false }: OutputOptions): Promise<void> {
  const { removeAdminByEmail } = await import("../../modules/operations/removeAdminByEmail.ts");
  const { email } = await withService((service) => removeAdminByEmail(service, address));
  print({ email, removed: true }, { json, text: `removed admin ${email}, with their sessions and keys` });
}
