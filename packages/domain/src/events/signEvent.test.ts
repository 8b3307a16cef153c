import { expect, test } from "vitest";
import { eventHeaders } from "./signEvent.ts";

// The example of the specification of Standard Webhooks.
const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const PARTS = { id: "msg_p5jXN8AQM9LWM0D4loKWxJek", timestampSeconds: 1_614_265_330, body: '{"test": 2432232314}' };
const SIGNATURE = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

test("signs as the specification's example", async () => {
  expect(await eventHeaders([SECRET], PARTS)).toEqual({
    "content-type": "application/json",
    "webhook-id": PARTS.id,
    "webhook-timestamp": "1614265330",
    "webhook-signature": SIGNATURE,
  });
});

test("has a signature for each secret, which depends on id, time and body", async () => {
  const other = `whsec_${btoa("another secret of an endpoint")}`;
  const { "webhook-signature": both } = await eventHeaders([SECRET, other], PARTS);
  expect(both.split(" ")).toHaveLength(2);
  expect(both.startsWith(`${SIGNATURE} v1,`)).toBe(true);
  for (const part of [{ id: "msg_x" }, { timestampSeconds: 1 }, { body: "{}" }]) {
    expect((await eventHeaders([SECRET], { ...PARTS, ...part }))["webhook-signature"]).not.toBe(SIGNATURE);
  }
});
