import type { SocialProvider } from "@social-connect/contract";
import type { FaultOptions, FaultTarget } from "../control/faultsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import type { CallFailureKind, ProviderCall } from "../state/providerCall.ts";
import { MockMisuseError } from "../util/misuse.ts";
import type { Command } from "./command.ts";
import { first, get, post, remove } from "./command.ts";

export const FAULTS: readonly Command[] = [
  get("faults", (mock) => mock.faults.list()),
  post("faults", (mock, input) => {
    const shape = { operation: "string!", fault: "any", times: "number", probability: "number" } as const;
    const { operation: name, fault, times, probability } = fieldsOf(input.body, shape);
    const [operation, options] = [name as FaultTarget, fault as FaultOptions];
    if (probability !== undefined && times !== undefined) {
      throw new MockMisuseError("A fault is played so many times, or with a probability, and not both.");
    }
    if (probability !== undefined) return idOf(mock.faults.chance(probability, operation, options));
    return idOf(
      times === undefined ? mock.faults.always(operation, options) : mock.faults.times(times, operation, options),
    );
  }),
  remove("faults", (mock) => mock.faults.clear()),
  remove("faults/:id", (mock, input) => mock.faults.remove(first(input))),
  get("provider-faults", (mock) => mock.providerFaults.list()),
  post("provider-faults", (mock, input) => {
    const shape = {
      provider: "string!",
      call: "string!",
      failure: "string",
      status: "number",
      retryAfterSeconds: "number",
      delay: "duration",
      account: "string",
      times: "number",
    } as const;
    const { provider: name, call, account, times, failure, ...rest } = fieldsOf(input.body, shape);
    const fault = { ...rest, ...(failure !== undefined && { failure: failure as CallFailureKind }) };
    const scope = { ...(account !== undefined && { account }), ...(times !== undefined && { times }) };
    return idOf(mock.providerFaults.add(name as SocialProvider, call as ProviderCall | "any", fault, scope));
  }),
  remove("provider-faults", (mock) => mock.providerFaults.clear()),
  remove("provider-faults/:id", (mock, input) => mock.providerFaults.remove(first(input))),
];

function idOf({ id }: { readonly id: string }) {
  return { id };
}
