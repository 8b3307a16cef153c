import { SocialConnect } from "@social-connect/sdk";
import { expect, test } from "vitest";
import { COMMON_DOCUMENTS } from "./yoga.ts";

test("the SDK's health check is a common document", async () => {
  const sent: string[] = [];
  const social = new SocialConnect({
    baseUrl: "https://service.example",
    key: `00000000-0000-4000-8000-000000000000.${"0".repeat(64)}`,
    fetch: async (_url, init) => {
      sent.push((JSON.parse(String(init?.body)) as { query: string }).query);
      return Response.json({ data: { status: { ok: true, message: "" } } });
    },
  });
  expect((await social.status()).ok).toBe(true);
  expect(COMMON_DOCUMENTS).toContain(sent[0]);
});
