/** Writes the published schemas and the reference of metrics from the code that serves them. Part of `pnpm generate`. */
import { writeFileSync } from "node:fs";
import { adminSchemaText } from "../src/graphql/admin/schema.ts";
import { consumerSchemaText } from "../src/graphql/consumer/schema.ts";
import { METRICS_PAGE, metricsPage } from "./metricsReference.ts";

const HEADER = "# Printed by `pnpm generate` from the code that serves it. Not to be edited.\n\n";

const FILES = {
  "packages/contract/consumer.graphql": HEADER + consumerSchemaText,
  "packages/contract/admin.graphql": HEADER + adminSchemaText,
  [METRICS_PAGE]: metricsPage(),
};
for (const [path, text] of Object.entries(FILES)) writeFileSync(new URL(`../../../${path}`, import.meta.url), text);
