import type { FailingEndpoint } from "@social-connect/domain";
import type { Service } from "../service.ts";

const MOST_READ = 100;

/** An endpoint that has not accepted an event since one failed, unless an admin turned it off. */
export const IS_FAILING = "failing_since IS NOT NULL AND turned_off_reason IS DISTINCT FROM 'BY_ADMIN'";

/** The endpoints that fail, for incidents. Those that have failed longest are first. */
export async function readFailingEndpoints({ reads }: Pick<Service, "reads">): Promise<FailingEndpoint[]> {
  const { rows } = await reads.pool.query<FailingEndpoint>({
    name: "events.failing",
    text: `SELECT event_endpoint.id, application.slug AS "clientSlug", failing_since AS "failingSince", NOT event_endpoint.enabled AS "isOff"
             FROM event_endpoint JOIN application ON application.id = event_endpoint.application_id
            WHERE ${IS_FAILING} ORDER BY failing_since, event_endpoint.id LIMIT ${MOST_READ}`,
  });
  return rows;
}
