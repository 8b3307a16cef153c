import { describe } from "vitest";
import { databaseAway } from "./scenarios/databaseAway.ts";
import { killedWorker } from "./scenarios/killedWorker.ts";
import { poolUsedUp } from "./scenarios/poolUsedUp.ts";

/** Faults that take their time to be noticed, and little else: so they are waited for together. */
describe.concurrent("a killed worker", killedWorker);
describe.concurrent("a pool that is used up", poolUsedUp);
describe.concurrent("a database that goes away", databaseAway);
