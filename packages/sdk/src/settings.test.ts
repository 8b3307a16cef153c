import { ConfigurationError } from "@social-connect/sdk-core";
import { expect, it } from "vitest";
import { SocialConnect } from "./client.ts";
import { BASE_URL, fakeApi, KEY, SCOPE } from "./testing/fakeApi.ts";
import { WINDOW } from "./testing/samples.ts";

const GOOD = { baseUrl: BASE_URL, key: KEY };

it("sends no key with `status`", async () => {
  const api = fakeApi({ status: { ok: true, message: "ok" } });
  await new SocialConnect({ ...GOOD, fetch: api.fetch }).status();
  expect(api.calls[0]?.headers.has("authorization")).toBe(false);
});

it.each([new Date("never"), "2026-01-01", 5])("rejects a wait with a deadline of %s", async (deadline) => {
  const api = fakeApi({});
  const user = new SocialConnect({ ...GOOD, fetch: api.fetch }).forSubject(SCOPE);
  const waiting = user.job("c", "j").wait({ deadline: deadline as Date });
  await expect(waiting).rejects.toBeInstanceOf(ConfigurationError);
  expect(api.calls).toHaveLength(0);
});

it("rejects missing ids, and values that JSON cannot represent", async () => {
  const api = fakeApi({});
  const social = new SocialConnect({ ...GOOD, fetch: api.fetch });
  const user = social.forSubject(SCOPE);
  const unset = JSON.parse('""');
  const notSerializable = {
    publishedAfter: WINDOW.publishedAfter,
    publishedBefore: WINDOW.publishedBefore,
    maxItems: 1n,
  };
  for (const call of [
    () => user.connection(unset),
    () => user.disconnect(unset),
    () => user.contentItem("c", unset),
    async () => user.content(unset, WINDOW),
    async () => user.refresh(unset),
    async () => user.lookup("c", unset),
    async () => user.job("c", unset),
    async () => user.connectResult(unset),
    () => user.refresh("c", { window: notSerializable as unknown as typeof WINDOW }).start(),
    async () => user.refresh("c", JSON.parse("null")),
    async () => user.content("c", JSON.parse("null")),
    async () => user.content("c", JSON.parse('{"publishedAfter":5,"publishedBefore":{}}')),
    () => user.connect(JSON.parse("null")),
    async () => social.forSubject(JSON.parse("null")),
    () => social.createIdpIdentitySession(JSON.parse("null")),
    () => social.redeemIdpIdentity(JSON.parse("null")),
  ]) {
    await expect(call()).rejects.toBeInstanceOf(ConfigurationError);
  }
  expect(api.calls).toHaveLength(0);
});
