import { expect, test } from "vitest";
import { createConsumerMock } from "../mock/consumerMock.ts";
import { ask, CONNECT, connectInput } from "../testing/post.ts";

/** What a connect attempt answers: the code of its error, or null. */
async function refusalOf(mock: ReturnType<typeof createConsumerMock>, input: object = {}, key = mock.key) {
  const { errors } = await ask(mock, CONNECT, connectInput(mock, input), { key });
  return errors?.[0]?.extensions?.["code"] ?? null;
}

test("a disabled application is refused until it is enabled", async () => {
  const mock = createConsumerMock();
  mock.application.disable();
  expect(await refusalOf(mock)).toBe("FORBIDDEN");
  mock.application.enable();
  expect(await refusalOf(mock)).toBeNull();
});

test("a policy decides at which providers, and for which capabilities, an application may connect", async () => {
  const mock = createConsumerMock();
  mock.application.setPolicy({ providers: ["PROVIDER_B"], capabilities: ["PROFILE"] });
  expect(await refusalOf(mock, { provider: "PROVIDER_A", capabilities: ["PROFILE"] })).toBe("FORBIDDEN");
  expect(await refusalOf(mock, { provider: "PROVIDER_B", capabilities: ["CONTENT_LIST"] })).toBe("FORBIDDEN");
  expect(await refusalOf(mock, { provider: "PROVIDER_B", capabilities: ["PROFILE"] })).toBeNull();
});

test("a policy replaces the tenants of an application", async () => {
  const mock = createConsumerMock();
  mock.application.setPolicy({ tenantKeys: ["other"] });
  const scope = (tenantKey: string) => ({ scope: { tenantKey, externalSubjectId: "user-1" } });
  expect(await refusalOf(mock, scope("acme"))).toBe("FORBIDDEN");
  expect(await refusalOf(mock, scope("other"))).toBeNull();
});

test("a return URL works once it is added", async () => {
  const mock = createConsumerMock();
  const returnUrl = `${mock.application.webOrigins[0]}/added`;
  expect(await refusalOf(mock, { returnUrl })).toBe("BAD_USER_INPUT");
  mock.application.addReturnUrl(returnUrl);
  expect(await refusalOf(mock, { returnUrl })).toBeNull();
});

test("a key works once it is issued, until it expires or is revoked", async () => {
  const mock = createConsumerMock();
  const expiring = mock.application.issueKey({ expiresIn: "1d" });
  expect(await refusalOf(mock, {}, expiring)).toBeNull();
  await mock.clock.advance("25h");
  expect(await refusalOf(mock, {}, expiring)).toBe("UNAUTHENTICATED");
  const issued = mock.application.issueKey();
  expect(await refusalOf(mock, {}, issued)).toBeNull();
  mock.application.revokeKey(issued);
  expect(await refusalOf(mock, {}, issued)).toBe("UNAUTHENTICATED");
});

test("a registration refuses an attempt while it serves nobody, other capabilities, or is paused", async () => {
  const mock = createConsumerMock();
  const registration = mock.registration("PROVIDER_A");
  const lists = { provider: "PROVIDER_A", capabilities: ["CONTENT_LIST"] };
  const refusals: unknown[] = [];
  for (const change of [
    () => registration.serve(false),
    () => registration.serve(true),
    () => registration.setCapabilities(["PROFILE"]),
    () => registration.setCapabilities(["PROFILE", "CONTENT_LIST"]),
    () => registration.pause(),
    () => registration.publish(),
  ]) {
    change();
    refusals.push(await refusalOf(mock, lists));
  }
  expect(refusals).toEqual(["FORBIDDEN", null, "FORBIDDEN", null, "FORBIDDEN", null]);
});

test("previews allow the return paths of their origins", async () => {
  const mock = createConsumerMock({ previewOriginTemplate: "https://{label}.preview.example.test" });
  const input = (path: string) => ({ returnUrl: `https://branch.preview.example.test${path}` });
  mock.application.setPreviews({ enabled: true, paths: ["/done"] });
  expect([await refusalOf(mock, input("/done")), await refusalOf(mock, input("/other"))]).toEqual([
    null,
    "BAD_USER_INPUT",
  ]);
  mock.application.setPreviews({ enabled: false, paths: ["/done"] });
  expect(await refusalOf(mock, input("/done"))).toBe("BAD_USER_INPUT");
});
