import {
  connectionsImported,
  type ImportCounts,
  type ImportLine,
  type InvalidLine,
  MOST_LINE_BYTES,
  noImportCounts,
  readImportLine,
  uniqueKeys,
} from "@social-connect/domain";
import { sha256 } from "../../platform/secrets/hash.ts";
import { recordAudit } from "../audit/recordAudit.ts";
import type { Service } from "../service.ts";
import { type ImportContext, importLine, planLine } from "./importLine.ts";
import { endedAs, endedBy, findStarted, type ImportResult } from "./importRow.ts";
import type { FileLine } from "./readLines.ts";

/** Lines at a time. Lines of one user at one provider are imported one after the other. */
const LANES = 4;
/** Lines that wait, for their turn or for the report of an earlier one. */
const WINDOW = 64;
/** The ids of the lines that were seen take about 60 MB for a million, twice as much where tokens rotate. */
const MOST_LINES = 1_000_000;
const ID_BYTES = 9;

/** A line of the report, in the order of the file. Has no token. */
export interface ReportedLine extends ImportResult {
  readonly line: number;
  readonly client: string | null;
  readonly provider: string | null;
  readonly tenantKey: string | null;
  readonly externalSubjectId: string | null;
  /** What is wrong with an invalid line. */
  readonly problem: string | null;
}

export interface ImportOptions extends Omit<ImportContext, "wait"> {
  /** Only says what is wrong with the lines. */
  readonly isCheck: boolean;
  /** Continues an import of these lines. */
  readonly isResumed: boolean;
  readonly signal: AbortSignal;
  readonly wait: (seconds: number, signal: AbortSignal) => Promise<boolean>;
  readonly report: (line: ReportedLine, endsAt: number) => Promise<void> | void;
}

export interface ImportRun {
  readonly counts: ImportCounts;
  readonly isStopped: boolean;
}

/** Imports the lines of a file. Throws after the lines that it has begun. */
export async function runImport(
  service: Service,
  lines: AsyncIterable<FileLine>,
  { signal, report, wait, ...options }: ImportOptions,
): Promise<ImportRun> {
  const context = { ...options, wait: (seconds: number) => wait(seconds, signal) };
  const counts = noImportCounts();
  const clients = new Map<string, ImportCounts>();
  const seen = new Set<string>();
  const lanes = Array.from({ length: LANES }, async () => undefined as unknown);
  let hasFailed = false;
  const waiting: { readonly result: Promise<ReportedLine>; readonly endsAt: number }[] = [];
  const reportFirst = async () => {
    const first = waiting.shift();
    if (first === undefined) return;
    const line = await first.result;
    counts[line.status] += 1;
    if (line.client !== null && line.code !== "UNKNOWN_CLIENT") {
      const ofClient = clients.get(line.client) ?? noImportCounts();
      clients.set(line.client, ofClient);
      ofClient[line.status] += 1;
    }
    await report(line, first.endsAt);
  };
  try {
    for await (const { number, bytes, endsAt } of lines) {
      if (signal.aborted) break;
      if (number > MOST_LINES) throw new Error(`the file has more than ${MOST_LINES} lines; split it`);
      const line = bytes === null ? TOO_LONG : readImportLine(bytes);
      const ids = "problem" in line ? [] : uniqueKeys(line).map(idOf);
      const isRepeated = ids.some((id) => seen.has(id));
      for (const id of ids) seen.add(id);
      const lane = laneOf(line);
      const end = async () => {
        if (hasFailed || signal.aborted) return endedBy("STOPPED");
        if ("problem" in line) return endedBy("INVALID_LINE");
        return isRepeated ? endedBy("DUPLICATE_LINE") : handle(service, context, number, line);
      };
      const result = (lanes[lane] ?? Promise.resolve()).then(async () => ({
        ...reported(number, line),
        ...(await end()),
      }));
      lanes[lane] = result.catch(() => {
        hasFailed = true;
      });
      waiting.push({ result, endsAt });
      if (waiting.length >= WINDOW) await reportFirst();
    }
    while (waiting.length > 0) await reportFirst();
  } finally {
    await Promise.all(lanes);
    if (!options.isCheck) await record(service, options.actor, clients);
  }
  return { counts, isStopped: signal.aborted };
}

const TOO_LONG: InvalidLine = { problem: `The line has more than ${MOST_LINE_BYTES} bytes.` };

async function handle(
  service: Service,
  context: ImportContext & Pick<ImportOptions, "isCheck" | "isResumed">,
  number: number,
  line: ImportLine,
): Promise<ImportResult> {
  const application = await service.prisma.application.findUnique({ where: { slug: line.client } });
  if (application === null) return endedBy("UNKNOWN_CLIENT");
  const started = await findStarted(service, application.id, line);
  if (started !== null && !context.isResumed && !context.isCheck)
    throw new Error(`line ${number} was imported before; to continue that import, repeat the command with --resume`);
  const planned = await planLine(service, line, application, started);
  if ("status" in planned) return planned;
  // A check found nothing wrong with the line.
  return context.isCheck ? endedAs("LATER", null) : importLine(service, context, planned);
}

function reported(number: number, line: ImportLine | InvalidLine): Omit<ReportedLine, keyof ImportResult> {
  if ("problem" in line)
    return { line: number, client: null, provider: null, tenantKey: null, externalSubjectId: null, ...line };
  const { client, provider, tenantKey, externalSubjectId } = line;
  return { line: number, client, provider, tenantKey, externalSubjectId, problem: null };
}

function laneOf(line: ImportLine | InvalidLine): number {
  if ("problem" in line) return 0;
  const { client, provider, tenantKey, externalSubjectId } = line;
  return (sha256(JSON.stringify([client, provider, tenantKey, externalSubjectId]))[0] ?? 0) % LANES;
}

function idOf(key: string): string {
  return Buffer.from(sha256(key)).toString("base64url", 0, ID_BYTES);
}

async function record(
  service: Service,
  actor: ImportOptions["actor"],
  clients: ReadonlyMap<string, ImportCounts>,
): Promise<void> {
  const now = await service.clock.now();
  for (const [slug, counts] of clients) {
    const client = await service.prisma.application.findUnique({ where: { slug }, select: { id: true, slug: true } });
    if (client !== null) await recordAudit(service.prisma, actor, now, connectionsImported(client, counts));
  }
}
