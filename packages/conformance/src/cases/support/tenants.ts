import type { CaseContext } from "../../harness/context.ts";
import type { OperationName } from "../../wire/documents.ts";

/** The code of an operation for a tenant that the application does not have, as decided on the decisions page. */
export const UNREGISTERED_TENANT: Readonly<Partial<Record<OperationName, "FORBIDDEN" | "NOT_FOUND">>> = {
  createConnectSession: "FORBIDDEN",
  createIdpIdentitySession: "FORBIDDEN",
  connectSessionResult: "FORBIDDEN",
  connections: "FORBIDDEN",
  connection: "NOT_FOUND",
  content: "NOT_FOUND",
  contentItem: "NOT_FOUND",
  syncJob: "NOT_FOUND",
  disconnectConnection: "NOT_FOUND",
  requestRefresh: "NOT_FOUND",
  requestContentLookup: "NOT_FOUND",
  redeemIdpIdentityResult: "NOT_FOUND",
};

/** Another application, with the same tenant keys, does not find what this one has. */
export async function refusesOtherApplication(
  t: CaseContext,
  name: OperationName,
  args: unknown,
  code = "NOT_FOUND",
): Promise<void> {
  const other = await t.anotherApplication({ tenantKeys: t.application.tenantKeys });
  t.fails(await t.callWith(t.caller(other.key), name, args), code, `${name} by another application`);
}
