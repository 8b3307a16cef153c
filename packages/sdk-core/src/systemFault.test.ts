import { describe, expect, it } from "vitest";
import { isUntrusted, systemFaultOf } from "./systemFault.ts";

const NOTHING = { secrets: [], values: [] };
const fault = (cause: object) => systemFaultOf(new TypeError("fetch failed", { cause }), NOTHING);

describe("a failed fetch", () => {
  it.each([
    { code: "ECONNREFUSED" },
    { code: "ConnectionRefused" },
    { code: "ENOTFOUND" },
    { code: "EAI_AGAIN" },
    { code: "UND_ERR_CONNECT_TIMEOUT" },
    { code: "CERT_HAS_EXPIRED" },
    { code: "DEPTH_ZERO_SELF_SIGNED_CERT" },
    { code: "ETIMEDOUT", syscall: "connect" },
    { code: "EHOSTUNREACH", syscall: "connect" },
  ])("was not sent for $code ($syscall)", (cause) => {
    expect(fault(cause)).toEqual({ systemCode: cause.code, isBeforeSending: true });
  });

  it("was not sent if Deno reports a failed connection", () => {
    const message = "error sending request for url (https://a.example/graphql): client error (Connect): dns error";
    expect(fault(new Error(message))).toEqual({ systemCode: undefined, isBeforeSending: true });
  });

  it.each([
    { code: "ECONNRESET" },
    { code: "ETIMEDOUT", syscall: "read" },
    { code: "UND_ERR_SOCKET" },
    { code: "EPROTO" },
  ])("may have been sent for $code", (cause) => {
    expect(fault(cause)).toEqual({ systemCode: cause.code, isBeforeSending: false });
  });

  it.each([
    ["without details", {}],
    ["whose code is not a name", { code: "a secret text" }],
    ["whose code is a number", { code: 7 }],
    ["whose message mentions a failed connection", new Error("client error (Connect)")],
    [
      "whose properties throw",
      {
        get code() {
          throw new Error("no");
        },
      },
    ],
  ])("%s may have been sent", (_, cause) => {
    expect(fault(cause)).toEqual({ systemCode: undefined, isBeforeSending: false });
  });

  it("drops a code that repeats a value of the request", () => {
    const error = Object.assign(new Error("x"), { code: "ACME_TENANT" });
    expect(systemFaultOf(error, NOTHING).systemCode).toBe("ACME_TENANT");
    expect(systemFaultOf(error, { secrets: [], values: ["ACME_TENANT"] }).systemCode).toBeUndefined();
  });

  it("stops at a cause that is its own cause", () => {
    const error = new Error("x");
    error.cause = error;
    expect(systemFaultOf(error, NOTHING).systemCode).toBeUndefined();
  });
});

it("distinguishes untrusted certificates from other TLS faults", () => {
  expect(
    ["CERT_HAS_EXPIRED", "UNABLE_TO_VERIFY_LEAF_SIGNATURE", "ERR_TLS_CERT_ALTNAME_INVALID"].every(isUntrusted),
  ).toBe(true);
  expect(["EPROTO", "ECONNRESET", undefined].some(isUntrusted)).toBe(false);
});

it("omits a system code that equals a value of the request, but still classifies the fault", () => {
  const cause = Object.assign(new Error("x"), { code: "ECONNREFUSED" });
  const carried = { secrets: [], values: ["econnrefused"] };
  expect(systemFaultOf(cause, carried)).toEqual({ systemCode: undefined, isBeforeSending: true });
});
