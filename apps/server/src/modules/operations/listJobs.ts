import type { JobKind, WaitReason } from "@social-connect/domain";
import type { JobStatus, Prisma, SocialProvider } from "../../_generated/prisma/client.ts";
import type { Service } from "../service.ts";

export interface JobFilter {
  readonly applicationId?: string;
  readonly connectionId?: string;
  readonly provider?: SocialProvider;
  readonly kind?: JobKind;
  readonly status?: JobStatus;
  readonly waitReason?: WaitReason;
}

/** Jobs, newest first, without what they read. */
export async function listJobs({ prisma }: Pick<Service, "prisma">, filter: JobFilter, limit: number) {
  const jobs = await prisma.job.findMany({
    where: filter satisfies Prisma.JobWhereInput,
    orderBy: [{ createdAt: "desc" }, { id: "desc" }],
    take: limit,
    select: { ...SHOWN, application: { select: { slug: true } } },
  });
  return jobs.map(({ application, ...job }) => ({ ...job, application: application.slug }));
}

const SHOWN = {
  id: true,
  kind: true,
  provider: true,
  connectionId: true,
  status: true,
  background: true,
  waitReason: true,
  nextRetryAt: true,
  errorCode: true,
  creatorAction: true,
  incompleteReason: true,
  itemsObserved: true,
  deletedCounts: true,
  attempt: true,
  failures: true,
  createdAt: true,
  startedAt: true,
  finishedAt: true,
} as const satisfies Prisma.JobSelect;
