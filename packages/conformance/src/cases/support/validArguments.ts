import type { Operations } from "../../_generated/consumerWire.ts";
import type { CaseContext } from "../../harness/context.ts";
import type { OperationName } from "../../wire/documents.ts";
import { connectInput } from "./attempts.ts";

const SOME_ID = "5f0d2a34-1111-4222-8333-0123456789ab";

/** Valid arguments for every operation; the objects that they name need not exist. */
export function validArguments(
  t: CaseContext,
  scope = t.scope(),
  connectionId = SOME_ID,
): { [Name in OperationName]: Operations[Name]["args"] } {
  const window = { publishedAfter: "2026-01-01T00:00:00.000Z", publishedBefore: "2026-02-01T00:00:00.000Z" };
  return {
    status: {},
    integrationReadiness: {},
    connectSessionResult: { scope, id: SOME_ID },
    connection: { scope, id: connectionId },
    connections: { scope },
    content: { scope, connectionId, window: { ...window, first: 10 } },
    contentItem: { scope, connectionId, providerContentId: "post" },
    syncJob: { scope, connectionId, id: SOME_ID },
    createConnectSession: { input: connectInput(t, { scope }) },
    disconnectConnection: { scope, connectionId },
    requestRefresh: { scope, connectionId, window },
    requestContentLookup: { scope, connectionId, url: "https://www.instagram.com/p/C0nf0rmance1/" },
    createIdpIdentitySession: {
      input: { tenantKey: scope.tenantKey, returnUrl: t.application.identityReturnUrl },
    },
    redeemIdpIdentityResult: { id: SOME_ID, tenantKey: scope.tenantKey, resultProof: "0".repeat(64) },
  };
}

/** The same arguments with one value replaced. */
export function withValue(args: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  const record = (args ?? {}) as Record<string, unknown>;
  return { ...record, [head]: withValue(record[head], rest, value) };
}

/** These arguments are refused as bad input, or with another of these codes, and never fail internally. */
export async function refusesValue(
  t: CaseContext,
  name: OperationName,
  args: unknown,
  what: string,
  codes: readonly string[] = ["BAD_USER_INPUT"],
): Promise<void> {
  const outcome = await t.callWith(t.api, name, args);
  t.oneOf(outcome.ok ? "a response" : outcome.code, codes, `${name}: ${what}`);
  t.holds(outcome.answer.status < 500, "no status of 500 or more", outcome.answer.status);
}
