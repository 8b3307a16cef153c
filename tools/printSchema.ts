import { writeFileSync } from "node:fs";
import { adminSchemaText } from "../apps/server/src/graphql/admin/schema.ts";
import { consumerSchemaText } from "../apps/server/src/graphql/consumer/schema.ts";

const HEADER = "# Printed by `pnpm generate` from the code that serves it. Not to be edited.\n\n";

/** Writes the published schemas from the code that serves them. */
for (const [file, text] of Object.entries({ consumer: consumerSchemaText, admin: adminSchemaText })) {
  writeFileSync(new URL(`../packages/contract/${file}.graphql`, import.meta.url), HEADER + text);
}
