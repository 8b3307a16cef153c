import { attributeOf, type ReceivedSpan } from "../../apps/server/src/observability/testing/collector.ts";
import type { LogLine, ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { eventually } from "../../packages/testkit/src/index.ts";

const LATE_MS = 10_000;
const CALLBACK = "browser connect.callback";
const PROVIDER_CALL = /^PROVIDER_[ABC] api$/;
const JOB = /^job (?:SCAN|PROFILE)$/;

interface Trails {
  readonly processes: readonly ServiceProcess[];
  readonly collector: { readonly spans: readonly ReceivedSpan[] };
}

/**
 * Follows each linked account from the browser's callback: one trace to the provider's calls of a worker, and one correlation
 * id through the logs of an api and of a worker.
 */
export async function checkTrails({ processes, collector }: Trails, links: number): Promise<string> {
  const { spans } = collector;
  const linesOf = (role: string) => processes.filter((each) => each.role === role).flatMap(({ lines }) => lines);
  return eventually(() => {
    const callbacks = linesOf("api").filter(({ operation }) => operation === "connect.callback");
    if (callbacks.length !== links)
      throw new Error(`the logs have ${callbacks.length} callbacks, and ${links} accounts were linked`);
    const jobs = linesOf("worker").filter(({ msg }) => msg === "job succeeded");
    const followed = callbacks.map((callback) => follow(callback, jobs, spans));
    const [example] = followed;
    if (example === undefined) throw new Error("no account was linked");
    return (
      `each of ${links} callbacks leads to its provider's calls in one trace, and to its jobs in the logs, ` +
      `e.g. trace ${example.traceId} (${example.way}), correlation id ${example.correlationId}`
    );
  }, LATE_MS);
}

function follow({ correlationId = "" }: LogLine, jobs: readonly LogLine[], spans: readonly ReceivedSpan[]) {
  const kinds = jobs.filter((line) => line.correlationId === correlationId).map(({ kind }) => kind);
  if (kinds.toSorted().join() !== "PROFILE,SCAN") {
    throw new Error(`the workers' logs have the jobs ${kinds.join() || "none"} of the correlation id ${correlationId}`);
  }
  const begin = spans.find(({ attributes }) => attributeOf(attributes, "correlation.id") === correlationId);
  if (begin?.name !== CALLBACK || begin.role !== "api") throw new Error(`${correlationId} has no span of its callback`);
  const { traceId } = begin;
  const traced = spans.filter((span) => span.traceId === traceId);
  const ways = traced
    .filter(({ role, name }) => role === "worker" && PROVIDER_CALL.test(name))
    .map((call) => [call, ...ancestors(call, traced)]);
  const way = ways.find((path) => path.length === 3 && JOB.test(path[1]?.name ?? "") && path[2] === begin);
  if (way === undefined)
    throw new Error(`the trace ${traceId} does not lead from the callback to a call of the provider`);
  return {
    correlationId,
    traceId,
    way: way
      .map(({ name }) => name)
      .toReversed()
      .join(" > "),
  };
}

function ancestors(span: ReceivedSpan, spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const parent = spans.find(({ spanId }) => spanId === span.parentSpanId);
  return parent === undefined ? [] : [parent, ...ancestors(parent, spans)];
}
