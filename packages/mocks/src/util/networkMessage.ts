import { networkFaultOf } from "@social-connect/sdk-core/networkFault";
import { transportError } from "@social-connect/sdk-core/transportError";

/** The SDK's message for a fault of the network: the host, and what to check. Undefined for any other error of `fetch`. */
export function networkMessage(error: unknown, url: string): string | undefined {
  const fault = networkFaultOf(error, url, () => ({ secrets: [], values: [] }));
  return fault && transportError("status", fault, url).message;
}
