import { afterAll, beforeAll } from "vitest";
import { startTestService, type TestService } from "./testService.ts";

/** The service of the test file that called `useService`. */
export let service: TestService;

export function useService(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
}
