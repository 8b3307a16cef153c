import { afterAll, beforeAll } from "vitest";
import type { TestService } from "./testService.ts";
import { startTestService } from "./testService.ts";

/** A service for the test file that imports it. */
export let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
