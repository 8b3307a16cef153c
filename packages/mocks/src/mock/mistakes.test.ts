import { expect, test } from "vitest";
import { ask, CONNECT, connectInput } from "../testing/post.ts";
import { createConsumerMock } from "./consumerMock.ts";

/** Frequent mistakes have the messages of the service. */
async function messageOf(...args: Parameters<typeof ask>): Promise<string | undefined> {
  return (await ask(...args)).errors?.[0]?.message;
}

test("a return URL that differs names the difference and the option in a sandbox, and stays short in live mode", async () => {
  const application = { webOrigins: ["http://localhost:3000"], returnUrls: ["http://localhost:3000/connected"] };
  const returnUrl = "http://127.0.0.1:3000/connected";
  const sandbox = createConsumerMock({ application });
  const short = "`returnUrl` must equal a registered return URL.";
  expect(await messageOf(sandbox, CONNECT, connectInput(sandbox, { returnUrl }))).toBe(
    `${short} In the closest one, the host is localhost, not 127.0.0.1. Add yours to \`application.returnUrls\` of the mock's options, or with \`--return-url URL\` of its command.`,
  );
  const live = createConsumerMock({ application, mode: "live" });
  expect(await messageOf(live, CONNECT, connectInput(live, { returnUrl }))).toBe(short);
});

test("after five unfinished attempts the message says when the next is possible", async () => {
  const mock = createConsumerMock();
  for (let times = 0; times < 5; times += 1) await ask(mock, CONNECT, connectInput(mock));
  await mock.clock.advance("90s");
  expect(await messageOf(mock, CONNECT, connectInput(mock))).toBe(
    "Too many pending attempts (limit 5). The next is possible in 9 minutes, or when one of them ends.",
  );
});

test("a malformed DateTime names its argument", async () => {
  const mock = createConsumerMock();
  const text = `query($window: ContentWindow!) { content(scope: { tenantKey: "t", externalSubjectId: "s" },
    connectionId: "c", window: $window) { items { id } } }`;
  const window = { publishedAfter: "yesterday", publishedBefore: "2026-01-02T00:00:00Z", first: 1 };
  expect(await messageOf(mock, text, { window })).toBe(
    "`window.publishedAfter` must be a valid date and time in ISO 8601 with an offset.",
  );
  expect(await messageOf(mock, text, { window: { ...window, publishedAfter: null } })).toBe(
    "`window.publishedAfter` must not be null.",
  );
  expect(await messageOf(mock, text.replace("!)", '! = "x")').replace("ContentWindow", "DateTime"), {})).toBe(
    "`window` must be a valid date and time in ISO 8601 with an offset (line 1, column 28).",
  );
});

test("an invalid document names its position, and the rest is in `locations`", async () => {
  const mock = createConsumerMock();
  const { errors } = await ask(mock, "{\n  integrationReadiness {\n    idpIdentityAvailabl\n  }\n}");
  expect(errors?.[0]).toMatchObject({
    message: 'Cannot query field "idpIdentityAvailabl" on type "IntegrationReadiness" (line 3, column 5).',
    locations: [{ line: 3, column: 5 }],
  });
  expect(await messageOf(mock, "{ status { ok }")).toBe(
    "Syntax Error: Expected Name, found <EOF> (line 1, column 16).",
  );
});

test("a cursor of another query names the arguments that differ", async () => {
  const mock = createConsumerMock();
  const { scope } = mock;
  await mock.load("connected");
  const text = `query($scope: SubjectScope!, $after: String) {
    connections(scope: $scope, first: 1, after: $after) { pageInfo { endCursor } } }`;
  type Page = { readonly connections: { readonly pageInfo: { readonly endCursor: string } } };
  const { data } = await ask<Page>(mock, text, { scope });
  const after = data?.connections.pageInfo.endCursor;
  expect(after).toBeTruthy();
  expect(await messageOf(mock, text, { scope: { ...scope, externalSubjectId: "other-subject" }, after })).toBe(
    "`after` must be the `endCursor` of another page of this list, with the same arguments. `externalSubjectId` differs. Use the values that the page was read with.",
  );
  expect(await messageOf(mock, text, { scope, after: `${after}x` })).toBe(
    "`after` must be the `endCursor` of another page of this list, with the same arguments.",
  );
});

test("an unregistered tenant says how to register it", async () => {
  const mock = createConsumerMock();
  const remedy = "Add it to `application.tenantKeys` of the mock's options, or with `--tenant TENANT` of its command.";
  const scope = { ...mock.scope, tenantKey: "elsewhere" };
  const id = "00000000-0000-4000-8000-000000000000";
  const forbidden = `The tenant is not registered for the application. ${remedy}`;
  const notFound = `Not found: the tenant is not registered for the application. ${remedy}`;
  expect(await messageOf(mock, CONNECT, connectInput(mock, { scope }))).toBe(forbidden);
  const list = "query($scope: SubjectScope!) { connections(scope: $scope) { items { id } } }";
  expect(await messageOf(mock, list, { scope })).toBe(forbidden);
  const one = "query($scope: SubjectScope!, $id: ID!) { connection(scope: $scope, id: $id) { id } }";
  expect(await messageOf(mock, one, { scope, id })).toBe(notFound);
  expect(await messageOf(mock, one, { scope: mock.scope, id })).toBe("No such connection.");
  const job = "query($scope: SubjectScope!, $id: ID!) { syncJob(scope: $scope, connectionId: $id, id: $id) { id } }";
  expect(await messageOf(mock, job, { scope, id })).toBe(notFound);
});

test("a call without a key says where it belongs", async () => {
  const mock = createConsumerMock();
  expect(await messageOf(mock, "{ integrationReadiness { idpIdentityAvailable } }", {}, { key: "" })).toBe(
    "A valid application key is required, in the header `Authorization: Bearer KEY`.",
  );
});

test("a second redeem says that the result was redeemed", async () => {
  const mock = createConsumerMock();
  const { application } = mock;
  const [tenantKey, returnUrl] = [application.tenantKeys[0], application.identityReturnUrls[0]];
  const create = "mutation($input: IdpIdentityInput!) { createIdpIdentitySession(input: $input) { id resultProof } }";
  const { data } = await ask<{ createIdpIdentitySession: { id: string; resultProof: string } }>(mock, create, {
    input: { tenantKey, returnUrl },
  });
  const session = data?.createIdpIdentitySession;
  mock.identity(session?.id ?? "").signIn("ada");
  const redeem = `mutation($id: ID!, $tenantKey: String!, $resultProof: String!) {
    redeemIdpIdentityResult(id: $id, tenantKey: $tenantKey, resultProof: $resultProof) { status } }`;
  const proof = { ...session, tenantKey };
  expect((await ask(mock, redeem, proof)).errors).toBeUndefined();
  expect(await messageOf(mock, redeem, proof)).toContain("was redeemed before, and can be redeemed once.");
});
