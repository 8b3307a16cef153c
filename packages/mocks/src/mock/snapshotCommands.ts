import type { CallsControl } from "../control/callsControl.ts";
import { fieldsOf } from "../control/fields.ts";
import type { MockOperation } from "../graphql/operations.ts";
import { SCENARIO_NAMES, SCENARIOS, type ScenarioName } from "../scenarios/scenarios.ts";
import { type Command, field, first, get, post, remove } from "./command.ts";
import type { ConsumerMock } from "./consumerMock.ts";

export const WHOLE: readonly Command[] = [
  get("scenarios", () =>
    SCENARIO_NAMES.map((name) => {
      const { summary, reaches, seenBy } = SCENARIOS[name];
      return { name, summary, reaches, seenBy };
    }),
  ),
  post("scenarios/:name", (mock, input) => mock.load(first(input) as ScenarioName)),
  get("clock", (mock) => ({ now: mock.clock.date().toISOString(), isWaitedFor: mock.clock.isWaitedFor })),
  post("clock/advance", async (mock, input) => ({ now: await mock.clock.advance(field(input, "by", "duration!")) })),
  post("clock/set", async (mock, input) => ({ now: await mock.clock.set(field(input, "to", "string!")) })),
  get(
    "calls",
    (mock, { query }) => {
      const operation = query.get("operation");
      return operation === null ? mock.calls.all() : mock.calls.of(operation as MockOperation);
    },
    ["operation"],
  ),
  remove("calls", (mock) => mock.calls.clear()),
  post("calls/assert", (mock, input) => {
    const shape = {
      operation: "string",
      times: "number",
      arguments: "any",
      sequence: "strings",
      allOk: "boolean",
    } as const;
    assertCalls(mock, fieldsOf(input.body, shape) as CallStatement);
  }),
  post("reset", (mock) => mock.reset()),
  get("snapshot", (mock) => ({ snapshot: mock.snapshot() })),
  post("restore", (mock, input) => mock.restore(field(input, "snapshot", "string!"))),
];

/** Assertions about calls. The controls validate the operations. */
interface CallStatement {
  readonly operation?: MockOperation;
  readonly times?: number;
  readonly arguments?: unknown;
  readonly sequence?: Parameters<CallsControl["assertSequence"]>[0];
  readonly allOk?: boolean;
}

/** Checks every assertion. */
function assertCalls({ calls }: ConsumerMock, statement: CallStatement): void {
  const { operation, times, sequence, allOk } = statement;
  if (operation !== undefined) calls.assertCalled(operation, times);
  if (operation !== undefined && statement.arguments !== undefined) {
    calls.assertCalledWith(operation, statement.arguments as Readonly<Record<string, unknown>>);
  }
  if (sequence !== undefined) calls.assertSequence(sequence);
  if (allOk) calls.assertAllOk();
}
