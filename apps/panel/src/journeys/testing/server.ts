/** What the journeys take from the server: a service in this process, its test data and the use cases that make more of it. */
export { adminQuery } from "../../../../server/src/http/testing/adminServer.ts";
export { startServerWithIssuer } from "../../../../server/src/http/testing/issuer.ts";
export { query } from "../../../../server/src/http/testing/testServer.ts";
export { SYSTEM } from "../../../../server/src/modules/admin/actor.ts";
export { addAdmin } from "../../../../server/src/modules/admins/admins.ts";
export { createRegistration } from "../../../../server/src/modules/registrations/changeRegistration.ts";
export { createAdminMember, createApiKey } from "../../../../server/src/modules/testing/admins.ts";
export {
  createApplication,
  createRegistrations,
  issueKey,
  moveRegistration,
  type TestApplication,
} from "../../../../server/src/modules/testing/builders.ts";
export { type ConnectionOptions, createConnection } from "../../../../server/src/modules/testing/connections.ts";
export {
  createConnectAttempt,
  createEventEndpoint,
  createJob,
  createPost,
} from "../../../../server/src/modules/testing/rows.ts";
export { runErase } from "../../../../server/src/modules/testing/tasks.ts";
export { startTestService, type TestService } from "../../../../server/src/modules/testing/testService.ts";
export { newId } from "../../../../server/src/platform/ids.ts";
export { createEgress } from "../../../../server/src/platform/network/egress.ts";
export { MovableClock } from "../../../../server/src/platform/time/clock.ts";
export { providerAddresses } from "../../../../server/src/providers/registration.ts";
export { providerAdapter } from "../../../../server/src/providers/registry/registry.ts";
