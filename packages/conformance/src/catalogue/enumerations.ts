import { ENUMERATIONS } from "../description/consumerSchemaTables.ts";
import type { Row } from "../harness/coverage.ts";
import { values } from "./rows.ts";

/** Part 2, enumerations: a response has to contain each value. */
export const ENUMERATION_ROWS: readonly Row[] = Object.entries(ENUMERATIONS).flatMap(([name, members]) =>
  values("S2", `enum:${name}.`, members),
);
