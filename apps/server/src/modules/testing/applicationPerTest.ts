/**
 * The environment of tests about one application. Importing this file starts a service for the test file; before each test it
 * creates an application and resets the fake providers.
 */
import type { SocialProvider } from "@social-connect/contract";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { TestApplication } from "./builders.ts";
import { createApplication, createRegistrations } from "./builders.ts";
import type { TestService } from "./testService.ts";
import { startTestService } from "./testService.ts";

export let service: TestService;
export let application: TestApplication;
export let registrations: Record<SocialProvider, string>;
/** How many tests of the file have started, for names that must be unique. */
export let testNumber = 0;

beforeAll(async () => {
  service = await startTestService();
  registrations = await createRegistrations(service);
});
afterAll(() => service.close());

beforeEach(async () => {
  testNumber += 1;
  application = await createApplication(service, `shop-${testNumber}`);
  for (const fake of Object.values(service.fakes)) {
    fake.calls.length = 0;
    fake.failures.clear();
    fake.before.clear();
  }
});
