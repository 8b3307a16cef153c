import type { Operations } from "../_generated/consumerWire.ts";
import type { OperationName } from "../wire/documents.ts";
import { IdentitySteps } from "./identities.ts";

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

const SOME_ID = "5f0d2a34-1111-4222-8333-0123456789ab";

/** The same arguments with one value replaced. */
export function withValue(args: unknown, [head, ...rest]: readonly string[], value: unknown): unknown {
  if (head === undefined) return value;
  const record = (args ?? {}) as Record<string, unknown>;
  return { ...record, [head]: withValue(record[head], rest, value) };
}

/** What a case works with: its context, and the steps that cases share. */
export class Steps extends IdentitySteps {
  /** Another application, with the same tenant keys, does not find what this one has. */
  async refusesOtherApplication(name: OperationName, args: unknown, code = "NOT_FOUND"): Promise<void> {
    const other = await this.anotherApplication();
    this.fails(await this.callWith(this.caller(other.key), name, args), code, `${name} by another application`);
  }

  /** Valid arguments for every operation; the objects that they name need not exist. */
  validArguments(scope = this.scope(), connectionId = SOME_ID): { [Name in OperationName]: Operations[Name]["args"] } {
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
      createConnectSession: { input: this.connectInput({ scope }) },
      disconnectConnection: { scope, connectionId },
      requestRefresh: { scope, connectionId, window },
      requestContentLookup: { scope, connectionId, url: "https://www.instagram.com/p/C0nf0rmance1/" },
      createIdpIdentitySession: {
        input: { tenantKey: scope.tenantKey, returnUrl: this.application.identityReturnUrl },
      },
      redeemIdpIdentityResult: { id: SOME_ID, tenantKey: scope.tenantKey, resultProof: "0".repeat(64) },
    };
  }

  /** These arguments are refused as bad input, or with another of these codes, and never fail internally. */
  async refusesValue(
    name: OperationName,
    args: unknown,
    what: string,
    codes: readonly string[] = ["BAD_USER_INPUT"],
  ): Promise<void> {
    const outcome = await this.callWith(this.api, name, args);
    this.oneOf(outcome.ok ? "a response" : outcome.code, codes, `${name}: ${what}`);
    this.holds(outcome.answer.status < 500, "no status of 500 or more", outcome.answer.status);
  }
}
