/**
 * Runs the conformance cases that are named on the mock behind an injected fetch, and prints how each of them ended:
 *
 *     node --import ./tools/mutations/mutate.ts tools/mutations/runCases.ts S4.one-case S5.another
 */
import { CASES, conform } from "../../packages/conformance/src/index.ts";
import { createConsumerMock } from "../../packages/mocks/src/index.ts";
import { mockTarget } from "../../packages/mocks/src/testing/mockTarget.ts";

const ids = process.argv.slice(2);
const unknown = ids.filter((id) => !CASES.some((one) => one.id === id));
if (unknown.length > 0) throw new Error(`there is no case ${unknown.join(", ")}`);
const { baseUrl, fetch } = createConsumerMock({ seed: "mutations" });
const target = await mockTarget({
  name: "mock",
  baseUrl,
  fetch,
  rawSocket: false,
  previewTemplate: null,
  close: async () => undefined,
});
const { results } = await conform(target, CASES, { parallel: 1, only: (id) => ids.includes(id) });
console.log(JSON.stringify(Object.fromEntries(results.map(({ id, outcome }) => [id, outcome]))));
process.exit();
