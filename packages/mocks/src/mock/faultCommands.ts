import { addFault } from "../control/faultsControl.ts";
import { addProviderFault } from "../control/providerFaultsControl.ts";
import { type Command, first, get, post, remove } from "./command.ts";

export const FAULTS: readonly Command[] = [
  get("faults", (mock) => mock.faults.list()),
  post("faults", (mock, input) => idOf(addFault(mock.faults, input.body))),
  remove("faults", (mock) => mock.faults.clear()),
  remove("faults/:id", (mock, input) => mock.faults.remove(first(input))),
  get("provider-faults", (mock) => mock.providerFaults.list()),
  post("provider-faults", (mock, input) => idOf(addProviderFault(mock.providerFaults, input.body))),
  remove("provider-faults", (mock) => mock.providerFaults.clear()),
  remove("provider-faults/:id", (mock, input) => mock.providerFaults.remove(first(input))),
];

function idOf({ id }: { readonly id: string }) {
  return { id };
}
