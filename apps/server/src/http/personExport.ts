import { checkInput } from "@social-connect/domain";
import { type FoundSession, requireConfirmation } from "../modules/admin-sessions/session.ts";
import { exportPerson } from "../modules/people/exportPerson.ts";
import type { Service } from "../modules/service.ts";
import { findScope } from "../modules/support/searchConnections.ts";
import { fileResponse } from "./fileResponse.ts";
import { fieldOf } from "./forms.ts";

/** Streams what is stored about a client's user as a file. Throws for invalid input and without a recent sign-in. */
export async function respondWithPerson(service: Service, session: FoundSession, form: URLSearchParams) {
  requireConfirmation(session, await service.clock.now());
  const text = (name: string) => fieldOf(form, name) ?? "";
  const [reason, clientSlug, externalSubjectId] = [text("reason"), text("clientSlug"), text("externalSubjectId")];
  const args = { reason, clientSlug, externalSubjectId, tenantKey: fieldOf(form, "tenantKey") };
  const refusal = checkInput("erasePerson", args);
  if (refusal !== null) return Response.json({ field: refusal.field ?? "", message: refusal.message }, { status: 400 });
  const { parts } = await exportPerson(service, session, await findScope(service, args), reason);
  return fileResponse(service, parts, { name: "person", extension: "json" });
}
