import { JOB_STATUSES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import { JOB_KINDS, WAIT_REASONS } from "@social-connect/domain";
import { type Command, Option } from "commander";
import type { JobFilter } from "../../modules/operations/listJobs.ts";
import {
  type ChangeOptions,
  dryRunOption,
  findApplication,
  jsonOption,
  limitOption,
  type OutputOptions,
  readConnectionId,
  readId,
  withService,
} from "./operator.ts";
import { print, table } from "./output.ts";

export function addJobCommands(program: Command): void {
  const jobs = program.command("jobs").summary("list, retry and cancel background jobs");
  jobs
    .command("list")
    .summary("the jobs, newest first")
    .option("--application <slug>", "only those of this client; its id, too")
    .option("--connection <id>", "only those of this connection", readConnectionId)
    .addOption(new Option("--provider <provider>", "only those at this provider").choices(SOCIAL_PROVIDERS))
    .addOption(new Option("--kind <kind>", "only those of this kind").choices(JOB_KINDS))
    .addOption(new Option("--status <status>", "only those with this status").choices(JOB_STATUSES))
    .addOption(new Option("--wait-reason <reason>", "only jobs that wait for this").choices(WAIT_REASONS))
    .addOption(limitOption())
    .addOption(jsonOption())
    .action(list);
  jobs
    .command("retry")
    .argument("<job id>", "", readId("a job"))
    .summary("run a waiting job now")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action((id: string, options: ChangeOptions) => change("retry", id, options));
  jobs
    .command("cancel")
    .argument("<job id>", "", readId("a job"))
    .summary("cancel a read; revoke and erase jobs cannot be canceled")
    .addOption(dryRunOption())
    .addOption(jsonOption())
    .action((id: string, options: ChangeOptions) => change("cancel", id, options));
}

interface ListOptions extends OutputOptions, Omit<JobFilter, "applicationId" | "connectionId"> {
  readonly application?: string;
  readonly connection?: string;
  readonly limit: number;
}

async function list({ application, connection, limit, json = false, ...filter }: ListOptions): Promise<void> {
  const { listJobs } = await import("../../modules/operations/listJobs.ts");
  const jobs = await withService(async (service) => {
    const client = application === undefined ? null : await findApplication(service, application);
    const owner = { ...(client && { applicationId: client.id }), ...(connection && { connectionId: connection }) };
    return listJobs(service, { ...filter, ...owner }, limit);
  });
  const rows = jobs.map((job) => ({
    ...{ id: job.id, application: job.application, provider: job.provider, kind: job.kind, status: job.status },
    ...{ waitsFor: job.waitReason, nextTry: job.nextRetryAt, error: job.errorCode, attempts: job.attempt },
    ...{ created: job.createdAt, connection: job.connectionId },
  }));
  print(jobs, { json, text: table(rows, "no jobs") });
}

const WORDS = { retry: ["retried", "retry"], cancel: ["canceled", "cancel"] } as const;

async function change(verb: "retry" | "cancel", id: string, options: ChangeOptions): Promise<void> {
  const { dryRun = false, json = false } = options;
  const { cancelJob, retryJob } = await import("../../modules/operations/changeJob.ts");
  const use = verb === "retry" ? retryJob : cancelJob;
  const job = await withService((service) => use(service, id, dryRun));
  const [done, infinitive] = WORDS[verb];
  const text = `${dryRun ? `would ${infinitive}` : done} the ${job.kind} job ${job.id}`;
  print({ ...job, dryRun }, { json, text });
}
