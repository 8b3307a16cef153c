import type { SocialProvider } from "@social-connect/contract";
import { addFault, type FaultOptions, type FaultTarget } from "../../control/faultsControl.ts";
import { addProviderFault } from "../../control/providerFaultsControl.ts";
import type { ConsumerMock } from "../../mock/consumerMock.ts";
import type { ScenarioName } from "../../scenarios/scenarios.ts";
import type { CallFailureKind, ProviderCall } from "../../state/providerCall.ts";
import { MockMisuseError } from "../../util/misuse.ts";

type Action = (mock: ConsumerMock, field: (name: string) => string) => unknown;

/** What the forms of the page do. The controls validate the values. */
const ACTIONS: ReadonlyMap<string, Action> = new Map(
  Object.entries<Action>({
    "advance-clock": (mock, field) => mock.clock.advance(field("by")),
    settle: (mock) => mock.settle(),
    "add-fault": (mock, field) => {
      const operation = field("operation") as FaultTarget;
      addFault(mock.faults, { operation, fault: effectOf(field("effect")), ...timesOf(field("times")) });
    },
    "remove-fault": (mock, field) => mock.faults.remove(field("id")),
    "add-provider-fault": (mock, field) => {
      const provider = field("provider") as SocialProvider;
      const call = field("call") as ProviderCall | "any";
      const failure = field("failure") as CallFailureKind;
      addProviderFault(mock.providerFaults, { provider, call, failure, ...timesOf(field("times")) });
    },
    "remove-provider-fault": (mock, field) => mock.providerFaults.remove(field("id")),
    "clear-faults": (mock) => {
      mock.faults.clear();
      mock.providerFaults.clear();
    },
    "clear-calls": (mock) => mock.calls.clear(),
    "load-scenario": (mock, field) => mock.load(field("scenario") as ScenarioName),
    reset: (mock) => mock.reset(),
  }),
);

/** Runs the action of a submitted form. Throws a MockMisuseError for an invalid value. */
export async function runAction(mock: ConsumerMock, form: URLSearchParams): Promise<void> {
  const action = ACTIONS.get(form.get("action") ?? "");
  if (action === undefined) throw new MockMisuseError("Unknown action. Reload the page.");
  await action(mock, (name) => form.get(name) ?? "");
}

function timesOf(text: string): { readonly times?: number } {
  return text === "always" ? {} : { times: Number(text) };
}

/** An effect as the page writes it, such as `code RATE_LIMITED`. */
function effectOf(text: string): FaultOptions {
  const [name = "", value = ""] = text.split(" ");
  if (name === "status") return { status: Number(value) };
  if (name === "code" && value === "RATE_LIMITED") return { code: value, retryAfterSeconds: 5 };
  return { [name]: value };
}
