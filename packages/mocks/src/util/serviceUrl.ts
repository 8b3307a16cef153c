import { messageOf } from "@social-connect/domain";
import { endpointOf } from "@social-connect/sdk-core/checks";

/** A URL to which keys may be sent, without a trailing slash. `name` is its option. */
export function serviceUrl(text: string, name: string, fail: (problem: string) => Error): string {
  try {
    return endpointOf(text, "", name, false);
  } catch (error) {
    throw fail(messageOf(error));
  }
}
