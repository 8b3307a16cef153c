import { afterAll, beforeAll } from "vitest";
import { type RealTimeService, startRealTimeService } from "./realTimeService.ts";

/** A service in real time for the tests of a file that imports it. */
export let real: RealTimeService;
export let service: RealTimeService["service"];

beforeAll(async () => {
  real = await startRealTimeService();
  ({ service } = real);
});
afterAll(() => service?.close());
