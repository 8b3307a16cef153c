/**
 * Memory under a flood of distinct documents: an API process with a 256 MB heap gets documents without a key, then others
 * with the key of one application. Its memory has to stay level, and the documents of the other applications cached.
 *
 *     pnpm test:system memory [--requests 1000000]
 */
import { parseArgs } from "node:util";
import { type ProbeReport, probe, probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { startDeployment } from "../deployment/deployment.ts";
import { flood } from "./flood.ts";

const DEFAULT_REQUESTS = 1_000_000;
const MEGABYTE = 1_048_576;
/** The young generation grows and shrinks with the load, by up to this much. */
const RESIDENT_SWING_BYTES = 96 * MEGABYTE;
/** Right after a collection there is no such swing. */
const HEAP_SWING_BYTES = 8 * MEGABYTE;
/** What one application's share of documents may take. */
const SHARE_BYTES = 8 * MEGABYTE;
const OWN_DOCUMENTS = 15;

const ownDocument = (name: string) => (index: number) =>
  `query ${name}${index} { integrationReadiness { idpIdentityAvailable } }`;

async function main(requests: number): Promise<readonly string[]> {
  await using deployment = await startDeployment({
    roles: ["api"],
    settings: { NODE_OPTIONS: probeOptions().join(" ") },
  });
  const { api } = deployment;
  const { key: quiet } = await deployment.operator.createApplication();
  const { key: loud } = await deployment.operator.createApplication();
  const use = () =>
    flood({ port: api.port, count: OWN_DOCUMENTS, key: quiet, documentOf: ownDocument("Own"), expects: READY });
  for (let round = 0; round < 20; round += 1) await use();
  return [
    ...(await measure(api, "without a key", requests, 0, {
      key: null,
      documentOf: (index) => `{ x${index.toString(36)}: status { ok } }`,
      expects: '"ok":true',
    })),
    ...(await areCached(api, use, "a flood without a key")),
    ...(await measure(api, "of one application", Math.ceil(requests / 10), SHARE_BYTES, {
      key: loud,
      documentOf: ownDocument("Loud"),
      expects: READY,
    })),
    ...(await areCached(api, use, "a flood of another application")),
  ];
}

const READY = '"idpIdentityAvailable":';

/** Sends a flood in twenty parts and measures the memory after each. */
async function measure(
  api: ServiceProcess,
  name: string,
  requests: number,
  allowedBytes: number,
  request: Pick<Parameters<typeof flood>[0], "key" | "documentOf" | "expects">,
): Promise<string[]> {
  const warmUp = Math.min(50_000, Math.ceil(requests / 4));
  const part = Math.ceil((requests - warmUp) / 20);
  let sent = 0;
  const send = async (count: number): Promise<ProbeReport> => {
    const from = sent;
    sent += count;
    await flood({ port: api.port, count, ...request, documentOf: (index) => request.documentOf(from + index) });
    const report = await reportOf(api);
    console.log(
      `${name}: ${sent} distinct documents, resident ${megabytes(report.residentBytes)}, heap ${megabytes(report.heapBytes)}`,
    );
    return report;
  };
  const first = await send(warmUp);
  const later: ProbeReport[] = [];
  while (sent < requests) later.push(await send(Math.min(part, requests - sent)));
  const most = (of: (report: ProbeReport) => number) => Math.max(...later.map(of));
  const problems: string[] = [];
  const residentGrowth = most(({ residentBytes }) => residentBytes) - first.residentBytes;
  const heapGrowth = most(({ heapBytes }) => heapBytes) - first.heapBytes;
  if (residentGrowth > RESIDENT_SWING_BYTES + allowedBytes)
    problems.push(`A flood ${name} grew the resident memory by ${megabytes(residentGrowth)}.`);
  if (heapGrowth > HEAP_SWING_BYTES + allowedBytes)
    problems.push(`A flood ${name} grew the heap by ${megabytes(heapGrowth)}.`);
  return problems;
}

/** What the API's probe reports. */
const reportOf = (api: ServiceProcess): Promise<ProbeReport> => probe(api.program.child.pid ?? Number.NaN);

/** The quiet application's documents are known: using them parses none. */
async function areCached(api: ServiceProcess, use: () => Promise<void>, what: string): Promise<string[]> {
  const before = await reportOf(api);
  await use();
  const parsed = (await reportOf(api)).preparedDocuments - before.preparedDocuments;
  console.log(`after ${what}: ${OWN_DOCUMENTS - parsed} of ${OWN_DOCUMENTS} documents still cached`);
  return parsed === 0 ? [] : [`After ${what} ${parsed} of ${OWN_DOCUMENTS} documents were no longer cached.`];
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}

const { values } = parseArgs({ options: { requests: { type: "string" } } });
const requests = Number(values.requests ?? DEFAULT_REQUESTS);
if (!Number.isSafeInteger(requests) || requests < 1_000) {
  console.error("`--requests` must be a whole number of at least 1000.");
  process.exit(2);
}
const problems = await main(requests);
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? "Memory stays level." : "Memory does not stay level.");
process.exit(problems.length === 0 ? 0 : 1);
