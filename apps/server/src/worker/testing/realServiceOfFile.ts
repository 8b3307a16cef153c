import { afterAll, beforeAll } from "vitest";
import { type RealTimeService, startRealTimeService } from "./realTimeService.ts";

export let real: RealTimeService;
export let service: RealTimeService["service"];

export function useRealService(): void {
  beforeAll(async () => {
    real = await startRealTimeService();
    ({ service } = real);
  });
  afterAll(() => service?.close());
}
