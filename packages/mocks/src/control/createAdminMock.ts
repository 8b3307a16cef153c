import type { AdminMock } from "./adminMock.ts";
import { ConsumerMock } from "./consumerMock.ts";
import type { MockOptions } from "./options.ts";

/** Makes a mock of the admin API: of the consumer mock that is passed as `link`, or of a service of its own. */
export function createAdminMock(options: MockOptions | { readonly link: ConsumerMock } = {}): AdminMock {
  return "link" in options ? options.link.admin : new ConsumerMock(options).admin;
}
