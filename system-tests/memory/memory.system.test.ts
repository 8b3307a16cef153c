/**
 * Memory under a flood of distinct documents: an API process with a 256 MB heap gets documents without a key, then others
 * with the key of one application. SWEEP=all sends a million.
 *
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { type ProbeReport, probe, probeOptions } from "../../packages/testkit/src/harness/probe.ts";
import type { ServiceProcess } from "../../packages/testkit/src/harness/serviceProcess.ts";
import { SWEEPS_ALL } from "../../packages/testkit/src/sweep.ts";
import { startDeployment } from "../deployment/deployment.ts";

const REQUESTS = SWEEPS_ALL ? 1_000_000 : 6_000;
/** More than an application's share of the documents. */
const REQUESTS_OF_ONE = SWEEPS_ALL ? 100_000 : 2_000;
/** Ends hangs: each part of a flood waits for a garbage collection, and a million requests take a quarter of an hour. */
const HANGS_AFTER_MS = 3_600_000;
const MEGABYTE = 1_048_576;
/** The young generation grows and shrinks with the load, by up to this much. */
const RESIDENT_SWING_BYTES = 96 * MEGABYTE;
/** Right after a collection there is no such swing. */
const HEAP_SWING_BYTES = 8 * MEGABYTE;
/** What one application's share of documents may take. */
const SHARE_BYTES = 8 * MEGABYTE;
const OWN_DOCUMENTS = 15;
const CONCURRENCY = 16;

const ownDocument = (name: string) => (index: number) =>
  `query ${name}${index} { integrationReadiness { idpIdentityAvailable } }`;

const READY = '"idpIdentityAvailable":';

test(
  "memory stays level under a flood of distinct documents, and those of other applications stay cached",
  async () => {
    await using deployment = await startDeployment({
      roles: ["api"],
      settings: { NODE_OPTIONS: probeOptions().join(" ") },
    });
    const { api } = deployment;
    const { key: quiet } = await deployment.operator.createApplication();
    const { key: loud } = await deployment.operator.createApplication();
    const own = { key: quiet, documentOf: ownDocument("Own"), expects: READY };
    const use = () => flood(api, OWN_DOCUMENTS, own.documentOf, own);
    for (let round = 0; round < 20; round += 1) await use();
    expect(
      await measure(api, "without a key", REQUESTS, 0, {
        key: null,
        documentOf: (index) => `{ x${index.toString(36)}: status { ok } }`,
        expects: '"ok":true',
      }),
    ).toEqual([]);
    expect(await parsedAgain(api, use)).toBe(0);
    const loudFlood = { key: loud, documentOf: ownDocument("Loud"), expects: READY };
    expect(await measure(api, "of one application", REQUESTS_OF_ONE, SHARE_BYTES, loudFlood)).toEqual([]);
    expect(await parsedAgain(api, use)).toBe(0);
  },
  HANGS_AFTER_MS,
);

interface Flood {
  /** An application's; null to send none. */
  readonly key: string | null;
  /** The document of a request; different ones make a flood of distinct documents. */
  readonly documentOf: (index: number) => string;
  /** Text that each answer has to hold. */
  readonly expects: string;
}

/** Sends requests, several at a time. */
async function flood(
  { port }: ServiceProcess,
  requests: number,
  documentOf: Flood["documentOf"],
  { key, expects }: Flood,
): Promise<void> {
  const headers = { "content-type": "application/json", ...(key !== null && { authorization: `Bearer ${key}` }) };
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < requests) {
      const body = JSON.stringify({ query: documentOf(next++) });
      const answer = await (await fetch(`http://127.0.0.1:${port}/graphql`, { method: "POST", headers, body })).text();
      if (!answer.includes(expects)) throw new Error(`Unexpected answer: ${answer.slice(0, 500)}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
}

/** Sends a flood in twenty parts and measures the memory after each. */
async function measure(
  api: ServiceProcess,
  name: string,
  requests: number,
  allowedBytes: number,
  request: Flood,
): Promise<string[]> {
  const warmUp = Math.min(50_000, Math.ceil(requests / 4));
  const part = Math.ceil((requests - warmUp) / 20);
  let sent = 0;
  const send = async (count: number): Promise<ProbeReport> => {
    const from = sent;
    sent += count;
    await flood(api, count, (index) => request.documentOf(from + index), request);
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

/** How many of the quiet application's documents are parsed when it uses them again. */
async function parsedAgain(api: ServiceProcess, use: () => Promise<void>): Promise<number> {
  const before = await reportOf(api);
  await use();
  return (await reportOf(api)).preparedDocuments - before.preparedDocuments;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / MEGABYTE)} MB`;
}
