import { cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Command, SERVICE_COMMAND } from "../../packages/testkit/src/harness/startedProgram.ts";

const SERVICE = fileURLToPath(new URL("../../apps/server", import.meta.url));
const LEFT_OUT = ["dist", "node_modules"].map((name) => join(SERVICE, name));

/** Copies the service into a new folder and adds migrations, as a later release has them. Returns its command `social-connect`. */
export async function makeLaterRelease(folder: string, migrations: Readonly<Record<string, string>>): Promise<Command> {
  await cp(SERVICE, folder, { recursive: true, filter: (path) => !LEFT_OUT.includes(path) });
  await symlink(join(SERVICE, "node_modules"), join(folder, "node_modules"));
  for (const [name, sql] of Object.entries(migrations)) {
    const migration = join(folder, "prisma/migrations", name);
    await mkdir(migration);
    await writeFile(join(migration, "migration.sql"), sql);
  }
  const [program, ...parameters] = SERVICE_COMMAND;
  return [program, ...parameters.map((parameter) => parameter.replace(SERVICE, folder))];
}
