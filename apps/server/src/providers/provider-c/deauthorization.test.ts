import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { registration, replay } from "../testing/replay.ts";
import { providerC } from "./adapter.ts";
import { verifySignedRequest } from "./deauthorization.ts";
import { recorded } from "./testAnswers.ts";

describe("deauthorize callback", () => {
  const documented = recorded("deauthorize-callback--signed-request-documented-vector.txt")
    .trim()
    .replace("signed_request=", "");
  const sign = (payload: object, secret = "client-secret-canary") => {
    const encoded = Buffer.from(JSON.stringify(payload)).toString("base64url");
    return `${createHmac("sha256", secret).update(encoded).digest("base64url")}.${encoded}`;
  };
  const verify = (signedRequest: string) =>
    providerC.verifyDeauthorization?.(registration("PROVIDER_C", replay().fetch), signedRequest);

  it("verifies the documented example with its secret and with no other", () => {
    expect(verifySignedRequest("secret", documented)).toEqual({ algorithm: "HMAC-SHA256", "0": "payload" });
    expect(verifySignedRequest("Secret", documented)).toBeNull();
  });

  it("returns the user and the time", () => {
    expect(verify(sign({ algorithm: "HMAC-SHA256", user_id: "17841400000000001", issued_at: 1_780_000_000 }))).toEqual({
      providerUserId: "17841400000000001",
      issuedAt: new Date(1_780_000_000_000),
    });
    expect(verify(sign({ algorithm: "HMAC-SHA256", user_id: 178414 }))).toEqual({
      providerUserId: "178414",
      issuedAt: null,
    });
  });

  it("rejects forged callbacks", () => {
    const good = sign({ algorithm: "HMAC-SHA256", user_id: "1" });
    expect(verify(good)).not.toBeNull();
    const [signature = "", payload = ""] = good.split(".");
    const forged = Buffer.from(JSON.stringify({ algorithm: "HMAC-SHA256", user_id: "2" })).toString("base64url");
    for (const bad of [
      `${signature}.${forged}`,
      `${payload}.${signature}`,
      `.${payload}`,
      `${signature}.`,
      signature,
      "",
      `${good}.more`,
      `${signature.slice(0, -2)}.${payload}`,
      sign({ algorithm: "HMAC-SHA256", user_id: "1" }, "other-secret"),
      sign({ algorithm: "none", user_id: "1" }),
      sign({ user_id: "1" }),
      sign({ algorithm: "HMAC-SHA256" }),
    ]) {
      expect(verify(bad)).toBeNull();
    }
  });
});
