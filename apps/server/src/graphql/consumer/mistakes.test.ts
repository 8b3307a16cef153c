/** Frequent mistakes of integrators, by the message that their program shows: the SDK withholds a message that repeats a call. */
import { SocialConnect } from "@social-connect/sdk";
import { afterEach, expect, test } from "vitest";
import { query, server, useServer } from "../../http/testing/testServer.ts";
import { keyOf } from "../../modules/rowKey.ts";
import { IDENTITY_RETURN_URL, RETURN_URL } from "../../modules/testing/builders.ts";
import { scopeOf } from "../../modules/testing/connections.ts";
import { application, connect, service } from "../../modules/testing/fixtures.ts";

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
  expect(errors[0]?.message).toBe(`\`publishedBefore\` ${expected}`);
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
