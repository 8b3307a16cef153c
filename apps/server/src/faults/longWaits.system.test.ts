import { describe } from "vitest";
import { databaseAway } from "./scenarios/databaseAway.ts";
import { killedWorker } from "./scenarios/killedWorker.ts";
import { poolUsedUp } from "./scenarios/poolUsedUp.ts";

/** Faults that take long to detect, so their tests run concurrently. */
describe.concurrent("a killed worker", killedWorker);
describe.concurrent("an exhausted pool", poolUsedUp);
describe.concurrent("an unavailable database", databaseAway);
