import { CONNECTION_STATUSES, SOCIAL_PROVIDERS } from "@social-connect/contract";
import {
  CONNECTION_ORDERS,
  checkInput,
  InvalidInputError,
  parseDateTime,
  SHOWN_CAUSES,
  STORED_SYNC_STATUSES,
} from "@social-connect/domain";
import type { FoundSession } from "../modules/admin-sessions/session.ts";
import type { Service } from "../modules/service.ts";
import { exportConnections } from "../modules/support/exportConnections.ts";
import type { ConnectionListArguments } from "../modules/support/listAllConnections.ts";
import { fileResponse } from "./fileResponse.ts";
import { fieldOf } from "./forms.ts";

const TEXTS = ["clientSlug", "tenantKey", "registrationId", "errorCode", "externalSubjectId", "handle"] as const;

/** The arguments of the list, from a form: a URL would keep ids of users. Throws for invalid ones. */
function readArguments(form: URLSearchParams): ConnectionListArguments {
  const texts = Object.fromEntries(TEXTS.map((name) => [name, fieldOf(form, name)]));
  const refusal = checkInput("adminConnections", texts);
  if (refusal !== null) throw new InvalidInputError(refusal.field ?? "", refusal.message);
  const one = <Value extends string>(name: string, values: readonly Value[]): Value | null => {
    const given = fieldOf(form, name);
    const found = values.find((value) => value === given);
    if (given !== null && found === undefined) throw new InvalidInputError(name, "The value is unknown.");
    return found ?? null;
  };
  const time = (name: string): Date | null => {
    const given = fieldOf(form, name);
    const found = given === null ? null : parseDateTime(given);
    if (given !== null && found === null) throw new InvalidInputError(name, "The time is invalid.");
    return found;
  };
  return {
    ...texts,
    provider: one("provider", SOCIAL_PROVIDERS),
    status: one("status", CONNECTION_STATUSES),
    syncStatus: one("syncStatus", STORED_SYNC_STATUSES),
    reconnectForeseen: one("reconnectForeseen", ["true"]) !== null,
    cause: one("cause", SHOWN_CAUSES),
    order: one("order", CONNECTION_ORDERS),
    descending: one("descending", ["true"]) !== null,
    from: time("from"),
    to: time("to"),
    causeFrom: time("causeFrom"),
    causeTo: time("causeTo"),
  };
}

/** Streams the list of connections as a CSV file. Throws for invalid input. */
export async function respondWithConnections(
  service: Service,
  session: FoundSession,
  form: URLSearchParams,
): Promise<Response> {
  const { rows, isLimited, parts } = await exportConnections(service, session, readArguments(form));
  return fileResponse(service, parts, { name: "connections", extension: "csv", entries: { count: rows, isLimited } });
}
