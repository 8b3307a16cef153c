import { API_KEY_READ_ONLY, AppError, InvalidInputError } from "@social-connect/domain";
import { checkMediaType, describeAdminError, parseJson, responseHeaders, showError } from "@social-connect/transport";
import { z } from "zod";
import { readDeclaredEndpoints, setDeclaredEndpoints } from "../../modules/events/setEventEndpoints.ts";
import { Secret } from "../../platform/secrets/secret.ts";
import type { Api } from "../shared/api.ts";
import { maskError } from "../shared/api.ts";
import type { CallLane } from "../shared/callLanes.ts";
import { reportResult, reportTooLarge } from "../shared/report.ts";
import { type AdminContext, actorOf } from "./context.ts";
import { ADMIN_REPORT, admit } from "./yoga.ts";

export const EVENT_ENDPOINTS_PATH = "/api/admin/event-endpoints";

const MOST_ENTRIES = 10;
const call = z.strictObject({
  /** The slug of the client. */
  client: z.string().max(100),
  /** The complete list; absent: the endpoints are only read. */
  endpoints: z
    .array(
      z.strictObject({
        url: z.string().max(2_000),
        types: z.array(z.string().max(100)).max(100).default([]),
        secret: z.string().max(200).optional(),
      }),
    )
    .max(MOST_ENTRIES)
    .optional(),
});

/**
 * Reads and sets the event endpoints of a client, for pipelines with an admin key. It is not a part of the schema, which keys
 * see unchanged. Transport, authentication, limits and the form of a response are those of the admin API.
 */
export function createEventEndpointsApi(lane: CallLane): Api<AdminContext> {
  return async ({ contentType, receive }, context) => {
    const { correlationId, presence, service } = context;
    const respond = (body: object, status = 200) =>
      new Response(JSON.stringify(body), { status, headers: responseHeaders(correlationId) });
    try {
      await admit(context);
      const actor = actorOf(context);
      const body = await receive();
      if (body === null) {
        reportTooLarge(context, ADMIN_REPORT);
        return new Response(null, { status: 413, headers: { "content-length": "0" } });
      }
      const violation = checkMediaType(contentType);
      if (violation !== null) throw new AppError(violation);
      const read = call.safeParse(parseJson(body));
      if (!read.success) throw new InvalidInputError(null, "The body is not a valid call.");
      const { client, endpoints } = read.data;
      context.record.operation = endpoints === undefined ? "eventEndpoints" : "setEventEndpoints";
      if (endpoints !== undefined && actor.via === "key" && actor.scope === "READ")
        throw new AppError(API_KEY_READ_ONLY);
      presence.requirePresence();
      const turn = { owner: actor.memberId, slots: 1, whenLeft: presence.whenLeft };
      const entries = endpoints?.map((entry) => ({ ...entry, secret: entry.secret ? new Secret(entry.secret) : null }));
      const eventEndpoints = await lane.run(turn, () =>
        entries === undefined
          ? readDeclaredEndpoints(service, client)
          : setDeclaredEndpoints(service, actor, client, entries),
      );
      reportResult(context, [], ADMIN_REPORT);
      return respond({ data: { eventEndpoints } });
    } catch (error) {
      reportResult(context, [maskError(error, describeAdminError)], ADMIN_REPORT);
      const shown = showError(error, correlationId, describeAdminError);
      return respond({ data: null, errors: [shown.error] }, shown.status);
    }
  };
}
