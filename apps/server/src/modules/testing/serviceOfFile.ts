import { afterAll, beforeAll } from "vitest";
import { startTestService, type TestService } from "./testService.ts";

export let service: TestService;

export function useService(): void {
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.close());
}
