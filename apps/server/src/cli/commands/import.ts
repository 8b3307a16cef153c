import { type FileHandle, lstat, open } from "node:fs/promises";
import { setPriority } from "node:os";
import { setTimeout } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { printable } from "@social-connect/contract";
import { describeImport } from "@social-connect/domain";
import type { Command } from "commander";
import { settingsFromEnvironment } from "../../config/settings.ts";
import type { AdminActor } from "../../modules/admin/actor.ts";
import type { ImportRun, ReportedLine } from "../../modules/imports/runImport.ts";
import type { Service } from "../../modules/service.ts";
import { stopController } from "../processes/stopSignal.ts";
import { EXIT_PENDING } from "./erase.ts";
import { showProgress } from "./importProgress.ts";
import { openReport } from "./importReport.ts";
import { jsonOption, type OutputOptions, UsageError } from "./operator.ts";
import { print } from "./output.ts";

/** Some lines have no connection, and another run would not change that. */
const EXIT_REFUSED = 4;
const STANDARD_INPUT = "-";
/** Lower than the service on the same machine: people wait for that. */
const PRIORITY = 10;
/** A line needs two connections at most, and four are imported at the same time. */
const POOL_SIZE = 8;

interface ImportOptions extends OutputOptions {
  readonly check?: boolean;
  readonly resume?: boolean;
  readonly report?: string;
  readonly share: number;
  readonly as?: string;
}

export function addImportCommand(program: Command): void {
  program
    .command("import")
    .argument("<file>", "JSON lines; - is standard input")
    .summary("move in: connect the accounts of users whose consents another integration has")
    .option("--check", "only say what is wrong with the file")
    .option("--resume", "continue an import of this file that was stopped, or that left lines for later")
    .option("--report <file>", "write one line of JSON for each line of the file")
    .option("--share <part>", "the part of each registration's quota that imports may use", readShare, 0.25)
    .option("--as <email>", "the admin whom the audit log names; otherwise System")
    .addOption(jsonOption())
    .action(run);
}

function readShare(value: string): number {
  const share = Number(value);
  if (/^[\d.]+$/.test(value) && share > 0 && share <= 1) return share;
  throw new UsageError(`--share must be a number above 0 and up to 1, not ${value}`);
}

async function run(path: string, options: ImportOptions): Promise<void> {
  for (const flag of MEMORY_FLAGS) setFlagsFromString(flag);
  const { check: isCheck = false, resume: isResumed = false, report: reportPath, share, as } = options;
  const { openForOperator } = await import("../../composition/operatorAccess.ts");
  const { pendingMigrations } = await import("../../platform/database/migrations.ts");
  const { requireMigrated } = await import("../../composition/deploymentDatabase.ts");
  const { requireCorrectKeys } = await import("../../modules/encryption/keyChecks.ts");
  const { asOnlyImport } = await import("../../modules/imports/onlyImport.ts");
  const { readLines } = await import("../../modules/imports/readLines.ts");
  const { runImport } = await import("../../modules/imports/runImport.ts");
  setPriority(PRIORITY);
  const settings = settingsFromEnvironment({ role: "both" });
  const file = path === STANDARD_INPUT ? null : await open(path);
  try {
    const bytes = file === null ? null : (await file.stat()).size;
    if (file !== null && reportPath !== undefined) await requireOtherFile(file, reportPath);
    const { signal } = stopController();
    const work = async (service: Service): Promise<ImportRun> => {
      const actor = await actorNamed(service, as);
      const report = reportPath === undefined ? null : await openReport(reportPath, { replaces: isResumed });
      const progress = showProgress(process.stderr, bytes);
      const show = async (line: ReportedLine, endsAt: number) => {
        await report?.write(line);
        if (isCheck) sayProblem(line);
        else progress.line(line, endsAt);
      };
      const input = file === null ? process.stdin : file.createReadStream();
      try {
        const lines = readLines(input);
        return await runImport(service, lines, { actor, share, isCheck, isResumed, signal, wait, report: show });
      } finally {
        progress.end();
        await report?.close();
      }
    };
    const result = await openForOperator(
      settings,
      "with encryption keys",
      async ({ service, encryptionKeys: { keys, lostIds }, url }) => {
        requireMigrated(await pendingMigrations(url));
        if (isCheck) return work(service);
        await requireCorrectKeys(service, keys, lostIds);
        return asOnlyImport(url, () => work(service));
      },
      POOL_SIZE,
    );
    finish(result, path, options);
  } finally {
    await file?.close();
  }
}

/**
 * Node lets its heap grow with the memory of the machine before it collects garbage, to several times of what is used. Optimized code,
 * of the database client's WebAssembly too, takes 25 MB and makes no import faster, because imports wait for providers. V8 applies what
 * one flag implies for another only at its start, so that each is named.
 */
const MEMORY_FLAGS = [
  ...["--optimize-for-size", "--semi-space-growth-factor=1", "--heap-growing-percent=5"],
  ...["--no-opt", "--liftoff-only", "--no-wasm-tier-up", "--no-wasm-dynamic-tiering"],
];

/** False once the import stops. */
async function wait(seconds: number, signal: AbortSignal): Promise<boolean> {
  return setTimeout(seconds * 1_000, true, { signal }).catch(() => false);
}

/** A report over the file would delete it before it was read. */
async function requireOtherFile(file: FileHandle, reportPath: string): Promise<void> {
  const existing = await lstat(reportPath).catch(() => null);
  const { dev, ino } = await file.stat();
  if (existing !== null && existing.dev === dev && existing.ino === ino)
    throw new UsageError("--report must not name the file that is imported");
}

async function actorNamed({ prisma }: Service, email: string | undefined): Promise<AdminActor> {
  const { SYSTEM } = await import("../../modules/admin/actor.ts");
  if (email === undefined) return SYSTEM;
  const member = await prisma.adminMember.findUnique({ where: { email: email.toLowerCase() } });
  if (member === null) throw new UsageError(`--as must be the email address of an admin, not ${email}`);
  return { via: "member", email: member.email };
}

function sayProblem({ line, status, code, problem }: ReportedLine): void {
  if (code !== null) console.log(`line ${line}: ${status} ${code}${problem === null ? "" : `: ${printable(problem)}`}`);
}

function finish({ counts, isStopped }: ImportRun, path: string, options: ImportOptions): void {
  const { check: isCheck = false, json = false } = options;
  const { INVALID, REFUSED, LATER } = counts;
  const isPending = !isCheck && (isStopped || LATER > 0);
  const text = [
    `${isStopped ? "stopped: " : ""}${describeImport(counts)}`,
    ...(isPending ? [`to continue: ${resumeCommand(path, options)}`] : []),
  ].join("\n");
  print({ ...counts, isStopped }, { json, text: isCheck ? describeCheck(counts) : text });
  if (isPending) process.exitCode = EXIT_PENDING;
  else if (INVALID + REFUSED > 0) process.exitCode = EXIT_REFUSED;
}

function describeCheck({ INVALID, REFUSED, LATER, ALREADY_CONNECTED }: ImportRun["counts"]): string {
  return `${INVALID} invalid, ${REFUSED} would be refused, ${ALREADY_CONNECTED} connected already, ${LATER} to import`;
}

function resumeCommand(path: string, { report, share, as }: ImportOptions): string {
  const quoted = (value: string) => `'${value.replaceAll("'", String.raw`'\''`)}'`;
  const given = [
    ...(report === undefined ? [] : ["--report", quoted(report)]),
    ...["--share", `${share}`],
    ...(as === undefined ? [] : ["--as", quoted(as)]),
  ];
  return ["social-connect import", quoted(path), "--resume", ...given].join(" ");
}
