import { expect, test } from "vitest";
import { application, connect, registrations, service } from "../modules/testing/applicationPerTest.ts";
import { fillTables, tablesScanned } from "../modules/testing/manyRows.ts";
import { createJob, createPost } from "../modules/testing/rows.ts";
import { newId } from "../platform/ids.ts";
import { observeDatabase, STATE } from "./databaseState.ts";
import type { Observation } from "./metrics.ts";
