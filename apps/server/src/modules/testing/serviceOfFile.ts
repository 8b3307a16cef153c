import { afterAll, beforeAll } from "vitest";
import { startTestService, type TestService } from "./testService.ts";

/** A service for the test file that imports it. */
export let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());
