import { describe, expect, test } from "vitest";
import { ADMIN_API, CONSUMER_API } from "./apis.ts";

const { observe } = CONSUMER_API;

const JOB = "query($s: SubjectScope!) { syncJob(scope: $s, connectionId: 1, id: 1) { status errorCode } }";

describe("observations of an exchange", () => {
  test("operations, enum values and codes, by their types and not by their format", () => {
    const body = { data: { syncJob: { status: "FAILED", errorCode: "DISCONNECTED" } } };
    const seen = observe(JOB, { s: { tenantKey: "a", externalSubjectId: "b" } }, 200, body);
    expect(seen.toSorted()).toEqual([
      "argument:SubjectScope.externalSubjectId",
      "argument:SubjectScope.tenantKey",
      "argument:syncJob.connectionId",
      "argument:syncJob.id",
      "argument:syncJob.scope",
      "enum:JobStatus.FAILED",
      "errorCode:DISCONNECTED",
      "field:SyncJob.errorCode",
      "field:SyncJob.status",
      "http:200",
      "operation:syncJob",
    ]);
  });

  test("error codes, also without data", () => {
    const seen = observe(JOB, {}, 200, { data: null, errors: [{ extensions: { code: "NOT_FOUND" } }] });
    expect(seen).toContain("code:NOT_FOUND");
    expect(seen).not.toContain("enum:JobStatus.FAILED");
  });

  test("values under an alias, in a fragment and in a list", () => {
    const query = `query { mine: connections(scope: { tenantKey: "a", externalSubjectId: "b" }) { items { ...C } } }
      fragment C on Connection { state: status ... on Connection { capabilities { is: availability reason } } }`;
    const capabilities = [{ is: "UNAVAILABLE", reason: "FORBIDDEN" }];
    const seen = observe(query, {}, 200, { data: { mine: { items: [{ state: "SUSPENDED", capabilities }] } } });
    expect(seen).toEqual(
      expect.arrayContaining(["enum:ConnectionStatus.SUSPENDED", "enum:Availability.UNAVAILABLE", "reason:FORBIDDEN"]),
    );
  });

  test("a string that only equals an enum value does not count", () => {
    const query =
      '{ contentItem(scope: {tenantKey: "a", externalSubjectId: "b"}, connectionId: 1, providerContentId: "c") { title } }';
    const seen = observe(query, {}, 200, { data: { contentItem: { title: "FAILED" } } });
    expect(seen.filter((observation) => !/^(?:argument|field):/.test(observation))).toEqual([
      "http:200",
      "operation:contentItem",
    ]);
  });

  test("arguments and fields of inputs that were sent to an operation that ran, and enum values only where returned", () => {
    const query = "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }";
    const scope = { tenantKey: "a", externalSubjectId: "b" };
    const input = { provider: "PROVIDER_A", capabilities: ["PROFILE"], scope, returnUrl: "https://a.test/" };
    const seen = observe(query, { input }, 200, { data: { createConnectSession: { id: "1" } } });
    expect(seen.toSorted()).toEqual([
      "argument:ConnectInput.capabilities",
      "argument:ConnectInput.provider",
      "argument:ConnectInput.returnUrl",
      "argument:ConnectInput.scope",
      "argument:SubjectScope.externalSubjectId",
      "argument:SubjectScope.tenantKey",
      "argument:createConnectSession.input",
      "field:ConnectSession.id",
      "http:200",
      "operation:createConnectSession",
    ]);
    const refused = observe(query, { input }, 200, { data: null, errors: [{ extensions: { code: "FORBIDDEN" } }] });
    expect(refused).toEqual(["http:200", "code:FORBIDDEN"]);
  });

  test("arguments in a fragment, written in the document or left out", () => {
    const query = `query($s: SubjectScope!, $after: String) { ...F }
      fragment F on Query { connections(scope: $s, first: 5, after: $after) { items { id } } }`;
    const s = { tenantKey: "a", externalSubjectId: "b" };
    const seen = observe(query, { s }, 200, { data: { connections: { items: [] } } });
    expect(seen.filter((observation) => observation.startsWith("argument:")).toSorted()).toEqual([
      "argument:SubjectScope.externalSubjectId",
      "argument:SubjectScope.tenantKey",
      "argument:connections.first",
      "argument:connections.scope",
    ]);
  });

  test("an invalid document has only its status and codes", () => {
    const seen = observe("{", {}, 400, { errors: [{ extensions: { code: "BAD_USER_INPUT" } }] });
    expect(seen).toEqual(["http:400", "code:BAD_USER_INPUT"]);
  });
});

describe("observations of an exchange with the admin API", () => {
  const { observe: observeAdmin } = ADMIN_API;
  const mint =
    'mutation { mintApiKey(label: "a", scope: READ, lifetimeDays: 1) { __typename ... on MintedApiKey { apiKey { scope } } ... on PanelError { message } ... on ConflictError { reason } } }';

  test("a reason beside a code, and no operation that returned null", () => {
    const body = { data: null, errors: [{ extensions: { code: "FORBIDDEN", reason: "PANEL_ONLY" } }] };
    expect(observeAdmin(mint, {}, 200, body)).toEqual([
      "admin-http:200",
      "admin-code:FORBIDDEN",
      "admin-reason:PANEL_ONLY",
    ]);
  });

  test("the returned type of a union, with the reason of a typed error", () => {
    const refused = { data: { mintApiKey: { __typename: "ConflictError", message: "", reason: "KEY_LIMIT" } } };
    expect(observeAdmin(mint, {}, 200, refused)).toEqual(
      expect.arrayContaining(["admin-operation:mintApiKey", "admin-type:ConflictError", "admin-reason:KEY_LIMIT"]),
    );
    const minted = { data: { mintApiKey: { __typename: "MintedApiKey", apiKey: { scope: "READ" } } } };
    expect(observeAdmin(mint, {}, 200, minted)).toContain("admin-enum:ApiKeyScope.READ");
  });
});
