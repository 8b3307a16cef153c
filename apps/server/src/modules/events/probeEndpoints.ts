import { DELIVERY_PROBLEMS, eventBody, testEvent } from "@social-connect/domain";
import { newId } from "../../platform/ids.ts";
import type { Service } from "../service.ts";
import { sendEvent } from "./deliverEvent.ts";

/** More would make the command slow: each may take ten seconds. */
const MOST_PROBED = 20;

export interface EndpointProbe {
  readonly clientSlug: string;
  readonly origin: string;
  /** null: it accepts the event. */
  readonly problem: string | null;
}

/** Sends the endpoints that are on, those that fail first, a test event that is not stored. */
export async function probeEndpoints(service: Service): Promise<EndpointProbe[]> {
  const now = await service.clock.now();
  const endpoints = await service.prisma.eventEndpoint.findMany({
    where: { enabled: true },
    include: { application: { select: { slug: true } } },
    orderBy: [{ failingSince: { sort: "asc", nulls: "last" } }, { id: "asc" }],
    take: MOST_PROBED,
  });
  return Promise.all(
    endpoints.map(async ({ application, ...endpoint }): Promise<EndpointProbe> => {
      const body = JSON.stringify(eventBody({ ...testEvent(endpoint.applicationId), occurredAt: now }));
      const of = { clientSlug: application.slug, origin: new URL(endpoint.url).origin };
      const { status, problem, cause } = await sendEvent(service, endpoint, { id: newId(), body }, now);
      if (problem === null) return { ...of, problem };
      if (status !== null) return { ...of, problem: `it answers with ${status}` };
      return { ...of, problem: `${DELIVERY_PROBLEMS[problem]}${cause === null ? "" : ` (${cause})`}` };
    }),
  );
}
