/** Frequent mistakes of integrators, by the message that their program shows: the SDK withholds a message that repeats a call. */

import type { CursorQuery } from "@social-connect/domain";
import { SocialConnect } from "@social-connect/sdk";
import { afterEach, expect, test } from "vitest";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { keyOf } from "../../modules/rowKey.ts";
import { IDENTITY_RETURN_URL, RETURN_URL } from "../../modules/testing/builders.ts";
import { scopeOf } from "../../modules/testing/connections.ts";
import { application, connect, service } from "../../modules/testing/fixtures.ts";
import { sealCursor } from "../../platform/cursor.ts";

useServer();
afterEach(() => void Object.assign(service, { mode: "sandbox", issuer: null }));

const client = () => new SocialConnect({ baseUrl: server.url, key: application.key, retries: 0 });
const subject = (externalSubjectId = "subject-1") =>
  client().forSubject({ tenantKey: application.tenantKey, externalSubjectId });

const start = (returnUrl: string, user = subject()) =>
  user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl });

test("a return URL that differs names the difference and the command in a sandbox, and stays short in live mode", async () => {
  const { origin, pathname, search } = new URL(RETURN_URL);
  const wrong = `${origin}${pathname}/${search}`;
  const short = "`returnUrl` must equal a registered return URL.";
  await expect(start(wrong)).rejects.toThrow(
    `${short} In the closest one, the path has no slash at the end. Register yours in the admin panel or, while \`dev\` runs, with \`npx @social-connect/server client add --return-url URL\`.`,
  );
  Object.assign(service, { mode: "live" });
  await expect(start(wrong)).rejects.toMatchObject({ message: short });
});

test("after five unfinished attempts the message says when the next is possible", async () => {
  const user = subject("subject-of-five");
  for (let times = 0; times < 5; times += 1) await start(RETURN_URL, user);
  await expect(start(RETURN_URL, user)).rejects.toMatchObject({
    code: "RATE_LIMITED",
    message: "Too many pending attempts (limit 5). The next is possible in 10 minutes, or when one of them ends.",
  });
});

test("a malformed DateTime names its argument, in a variable and in the document", async () => {
  const connection = await connect();
  const window = { publishedAfter: "2026-01-01", publishedBefore: "2026-01-02T00:00:00Z" };
  const user = subject(scopeOf(connection).externalSubjectId);
  const expected = "must be a valid date and time in ISO 8601 with an offset.";
  await expect(user.content(connection.id, window).page()).rejects.toMatchObject({
    code: "BAD_USER_INPUT",
    message: `\`window.publishedAfter\` ${expected}`,
  });
  const scope = `{ tenantKey: "tenant-1", externalSubjectId: "s" }`;
  const literal = `{ publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "tomorrow", first: 1 }`;
  const text = `{ content(scope: ${scope}, connectionId: "c", window: ${literal}) { items { id } } }`;
  const { errors } = await query(server, application.key, text);
  expect(errors[0]?.message).toBe(`\`publishedBefore\` ${expected.replace(/\.$/, " (line 1, column 155).")}`);
  const isNull = { ...window, publishedAfter: JSON.parse(JSON.stringify(new Date(Number.NaN))), first: 1 };
  const withVariable = `query($window: ContentWindow!, $first: Int!) {
    connections(scope: ${scope}, first: $first) { items { id } }
    content(scope: ${scope}, connectionId: "c", window: $window) { items { id } } }`;
  const invalid = async (variables: Record<string, unknown>) =>
    (await query(server, application.key, withVariable, variables)).errors[0]?.message;
  expect(await invalid({ window: isNull, first: 1 })).toBe("`window.publishedAfter` must not be null.");
  expect(await invalid({ window: { ...isNull, publishedAfter: window.publishedBefore }, first: "1" })).toBe(
    '`first` is not valid: Int cannot represent non-integer value: "1"',
  );
});

test("an invalid document names its position, and the rest is in `locations`", async () => {
  const { errors } = await query(server, application.key, "{\n  integrationReadiness {\n    nothing\n  }\n}");
  expect(errors[0]).toMatchObject({
    message: 'Cannot query field "nothing" on type "IntegrationReadiness" (line 3, column 5).',
    locations: [{ line: 3, column: 5 }],
  });
  await expect(client().request("{ status { ok nothing } }")).rejects.toThrow("(line 1, column 15).");
  expect((await query(server, application.key, "{ status { ok }")).errors[0]?.message).toBe(
    "Syntax Error: Expected Name, found <EOF> (line 1, column 16).",
  );
});

test("a cursor of another window, connection or subject names what differs", async () => {
  const { id, externalSubjectId } = await connect({ externalSubjectId: "subject-of-cursors" });
  const user = subject(externalSubjectId);
  const wrong = "`after` must be the `endCursor` of another page of this list, with the same arguments.";
  const remedy = "Use the values that the page was read with.";
  const { endCursor } = (await user.connections({ pageSize: 1 }).page()).pageInfo;
  const after = endCursor ?? "";
  await expect(subject("another-subject").connections().page(after)).rejects.toThrow(
    `${wrong} \`externalSubjectId\` differs. ${remedy}`,
  );
  const window = { publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "2026-01-02T00:00:00Z" };
  await expect(user.content(id, window).page(after)).rejects.toThrow(wrong);
  const binding: CursorQuery = [
    "content",
    application.id,
    ["connectionId", id],
    ["publishedAfter", "2026-01-01T00:00:00.000Z"],
    ["publishedBefore", "2026-01-03T00:00:00.000Z"],
  ];
  const ofContent = sealCursor(service.secretBox, binding, ["2026-01-02T00:00:00.000Z", id]);
  await expect(user.content(id, window).page(ofContent)).rejects.toThrow(
    `${wrong} \`publishedBefore\` differs. ${remedy}`,
  );
  await expect(user.content(application.id, window).page(ofContent)).rejects.toThrow(
    `${wrong} \`connectionId\` and \`publishedBefore\` differ. ${remedy}`,
  );
  // The previous release wrote no marks.
  const old = ofContent.slice(0, ofContent.lastIndexOf("."));
  await expect(user.content(id, window).page(old)).rejects.toMatchObject({ message: wrong });
  const whole = { ...window, publishedBefore: "2026-01-03T00:00:00Z" };
  expect((await user.content(id, whole).page(ofContent)).items).toEqual([]);
  expect((await user.content(id, whole).page(old)).items).toEqual([]);
  await expect(user.content(id, whole).page(`${old}.0000000000`)).rejects.toMatchObject({ code: "BAD_USER_INPUT" });
});

test("an unregistered tenant says how to register it, in each mode", async () => {
  const id = "00000000-0000-4000-8000-000000000000";
  const user = client().forSubject({ tenantKey: "elsewhere", externalSubjectId: "s" });
  const window = { publishedAfter: "2026-01-01T00:00:00Z", publishedBefore: "2026-01-02T00:00:00Z" };
  const calls = {
    FORBIDDEN: [() => start(RETURN_URL, user), () => user.connections().page(), () => user.connectResult(id).poll()],
    NOT_FOUND: [
      () => user.connection(id),
      () => user.content(id, window).page(),
      () => user.contentItem(id, "p"),
      () => user.refresh(id).start(),
      () => user.lookup(id, "https://v.example/1").start(),
      () => user.job(id, id).poll(),
      () => user.disconnect(id),
    ],
  };
  for (const [code, all] of Object.entries(calls)) {
    for (const call of all) {
      await expect(call()).rejects.toMatchObject({
        code,
        message: expect.stringMatching(
          /the tenant is not registered for the application\. Add it in the admin panel or, while `dev` runs, with `npx @social-connect\/server client add --tenant TENANT`\.$/i,
        ),
      });
    }
  }
  Object.assign(service, { mode: "live" });
  await expect(user.connections().page()).rejects.toThrow("under `tenantKeys` of a declaration");
  await expect(subject().connection(id)).rejects.toMatchObject({ message: "No such connection." });
});

test("a call without a key says where it belongs", async () => {
  const { errors } = await query(server, null, "{ integrationReadiness { idpIdentityAvailable } }");
  expect(errors[0]?.message).toBe("A valid application key is required, in the header `Authorization: Bearer KEY`.");
});

test("the identity handoff: another return URL, a second redeem, and twenty unfinished handoffs", async () => {
  // Only a launch uses it.
  Object.assign(service, { issuer: {} });
  await service.prisma.application.update({ where: { id: application.id }, data: { idpIdentityEnabled: true } });
  const { tenantKey } = application;
  const begin = (returnUrl = IDENTITY_RETURN_URL) => client().createIdpIdentitySession({ tenantKey, returnUrl });
  await expect(begin(IDENTITY_RETURN_URL.replace("https:", "http:"))).rejects.toThrow(
    /the scheme is https, not http\. .* --identity-return-url URL`\.$/,
  );
  const { id, resultProof } = await begin();
  await service.prisma.identityAttempt.update({
    where: keyOf({ id, applicationId: application.id }),
    data: { status: "FAILED" },
  });
  const redeem = () => client().redeemIdpIdentity({ id, tenantKey, resultProof });
  expect(await redeem()).toMatchObject({ status: "FAILED" });
  await expect(redeem()).rejects.toMatchObject({
    code: "NOT_FOUND",
    message:
      "The result of this identity session was redeemed before, and can be redeemed once. Store what the first call returns.",
  });
  await Promise.all(Array.from({ length: 20 }, () => begin()));
  await expect(begin()).rejects.toMatchObject({
    message: "Too many pending attempts (limit 20). The next is possible in 10 minutes, or when one of them ends.",
  });
});

test.each([
  ["/graphql", "Programs send POST requests to this address. The schema is at /schema.graphql.\n"],
  ["/api/admin/graphql", "Programs send POST requests to this address.\n"],
])("%s in a browser says that programs send POST requests there", async (path, text) => {
  const response = await fetch(server.url + path);
  expect([response.status, await response.text()]).toEqual([405, text]);
});
