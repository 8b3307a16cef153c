import { TransportError } from "./errors.ts";
import { checkAfter, FAULTS } from "./faults.ts";
import { type NetworkFault, networkFaultOf } from "./networkFault.ts";

/** The error for a fault of the network. It names the host that failed, and what to check. */
export function transportError(
  operation: string,
  { problem, systemCode, proxyStatus }: NetworkFault,
  endpoint: string,
): TransportError {
  const { sentence, mayHaveBeenSent } = FAULTS[problem];
  const code = proxyStatus === undefined ? systemCode : `HTTP ${proxyStatus}`;
  const url = new URL(endpoint);
  const known = sentence.replace("{host}", url.host).replace("{code}", code === undefined ? "" : ` (${code})`);
  const message = `${known} ${checkAfter(problem, systemCode, url)}`.trim();
  return new TransportError({ operation, message, problem, systemCode, mayHaveBeenSent, proxyStatus });
}

/** The error for a response whose body ended early, although the runtime reports no fault. */
export function cutResponse(operation: string, endpoint: string): TransportError {
  return transportError(operation, { problem: "RESPONSE_CUT" }, endpoint);
}

/** The message for an error of `fetch`: the host, and what to check. Undefined for an error that is not of the network. */
export function networkMessage(error: unknown, url: string): string | undefined {
  const fault = networkFaultOf(error, url, () => ({ secrets: [], values: [] }));
  return fault && transportError("", fault, url).message;
}
