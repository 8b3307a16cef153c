import { MUTATIONS, QUERIES } from "../description/consumerSchemaTables.ts";
import type { Row } from "../harness/coverage.ts";
import { values } from "./rows.ts";

/** Part 4, queries and mutations. */
export const OPERATION_ROWS: readonly Row[] = values("S4", "operation:", Object.keys({ ...QUERIES, ...MUTATIONS }));
