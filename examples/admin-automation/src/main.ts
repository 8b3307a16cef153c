import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createAdmin, SocialConnectError } from "@social-connect/admin-sdk";
import { readDeclarations } from "./declarations.ts";
import { changesSince } from "./report.ts";
import { synchronize } from "./synchronize.ts";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: fileURLToPath(new URL("../clients", import.meta.url)) },
    apply: { type: "boolean", default: false },
    "allow-destructive": { type: "boolean", default: false },
  },
});

try {
  const host = process.env.SOCIAL_CONNECT_ADMIN_HOST ?? "";
  const key = process.env.SOCIAL_CONNECT_ADMIN_KEY ?? "";
  const admin = createAdmin({ host, key, scope: "WRITE" });
  const declarations = await readDeclarations(values.clients);
  const startedAt = new Date();
  const ending = await synchronize(admin, declarations, {
    isDryRun: !values.apply,
    allowDestructive: values["allow-destructive"],
    log: console.log,
  });
  console.log(`\n${ending}`);
  if (values.apply) {
    // The key's id is the part before the dot and is not secret.
    const keyId = key.slice(key.indexOf("_") + 1, key.indexOf("."));
    for (const line of await changesSince(admin, keyId, startedAt)) console.log(line);
  }
  process.exitCode = ending === "needs review" || ending === "stopped" ? 1 : 0;
} catch (error) {
  if (!SocialConnectError.is(error)) throw error;
  // The message states what to do, and contains neither key nor arguments.
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
