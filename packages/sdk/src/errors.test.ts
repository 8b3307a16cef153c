import { ERROR_CODES } from "@social-connect/contract";
import { describe, expect, it } from "vitest";
import * as sdk from "./index.ts";
import { fakeClient, KEY, refusal } from "./testing/fakeApi.ts";

async function rejectionOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => expect.fail("the call was expected to reject"),
    (error: unknown) => error,
  );
}

function errorOf(reply: Response) {
  const { user } = fakeClient({ createConnectSession: reply });
  return rejectionOf(
    user.connect({ provider: "PROVIDER_A", capabilities: ["PROFILE"], returnUrl: "https://app.example/return" }),
  );
}

describe("an error of the service", () => {
  it.each(ERROR_CODES)("maps %s to its own class, with all fields of the error", async (code) => {
    const error = await errorOf(refusal(code, { retryAfterSeconds: 90 }, "No."));
    const className = `${code
      .split("_")
      .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
      .join("")}Error`;
    expect(Object.keys(sdk)).toContain(className);
    expect(error).toBeInstanceOf(sdk.ServiceError);
    expect(error).toMatchObject({
      name: className,
      kind: "service",
      code,
      message: "No.",
      operation: "createConnectSession",
      correlationId: "99999999-8888-4777-8666-555555555555",
      retryAfterSeconds: 90,
    });
  });

  it("is a ServiceError if its code is unknown", async () => {
    const error = await errorOf(refusal("QUOTA_OF_TOMORROW"));
    expect(error).toMatchObject({ name: "ServiceError", code: "QUOTA_OF_TOMORROW" });
    expect(sdk.SocialConnectError.is(error)).toBe(true);
  });

  it("falls back to UPSTREAM_UNAVAILABLE if it has no code", async () => {
    const error = await errorOf(Response.json({ errors: [{ message: "?" }] }));
    expect(error).toBeInstanceOf(sdk.UpstreamUnavailableError);
  });

  it("reads the error at any HTTP status", async () => {
    const body = { errors: [{ message: "cost", extensions: { code: "BAD_USER_INPUT" } }] };
    const error = await errorOf(Response.json(body, { status: 400 }));
    expect(error).toMatchObject({ name: "BadUserInputError", httpStatus: 400 });
  });
});

describe("the correlation id of an error", () => {
  const ID = "0190b3c4-7a1e-7c3d-9f00-0123456789ab";
  const json = "application/json";
  const REPLIES: readonly [string, string, ResponseInit, object][] = [
    ["a page instead of the API", "<h1>", { status: 503 }, { code: "UNEXPECTED_STATUS", httpStatus: 503 }],
    ["a request that is too large", "", { status: 413 }, { code: "BODY_TOO_LARGE" }],
    ["a redirect", "", { status: 302, headers: { location: "https://a.example" } }, { code: "REDIRECTED" }],
    [
      "data of another shape",
      '{"data":{"createConnectSession":5}}',
      { headers: { "content-type": json } },
      { code: "UNEXPECTED_SHAPE" },
    ],
    [
      "an error without an id",
      '{"errors":[{"extensions":{"code":"FORBIDDEN"}}]}',
      { headers: { "content-type": json } },
      { code: "FORBIDDEN" },
    ],
  ];

  it.each(REPLIES)("is in the header of %s", async (_, body, init, fields) => {
    const headers = { ...init.headers, "x-correlation-id": ID };
    expect(await errorOf(new Response(body || null, { ...init, headers }))).toMatchObject({
      ...fields,
      correlationId: ID,
    });
    const withoutId = await errorOf(new Response(body || null, init));
    expect(withoutId).toMatchObject({ ...fields, correlationId: undefined });
  });

  it("in the error itself takes precedence, and a header that repeats the request is ignored", async () => {
    const reply = (correlationId: string) => {
      const response = refusal("FORBIDDEN");
      response.headers.set("x-correlation-id", correlationId);
      return response;
    };
    expect(await errorOf(reply(ID))).toMatchObject({ correlationId: "99999999-8888-4777-8666-555555555555" });
    for (const id of [KEY.slice(0, 36), KEY, "7"]) {
      const headers = { "x-correlation-id": id };
      expect(await errorOf(new Response("<h1>", { status: 503, headers }))).toMatchObject({ correlationId: undefined });
    }
  });
});

describe("is()", () => {
  it("recognizes an error of another copy of the package by its family, and nothing else", async () => {
    const error = await errorOf(refusal("NOT_FOUND"));
    // A second copy of the package has other classes, so only the instance's fields identify it.
    const foreign = Object.create(null, Object.getOwnPropertyDescriptors(Object(error)));
    expect(Object.getPrototypeOf(foreign)).toBeNull();
    expect(sdk.SocialConnectError.is(foreign)).toBe(true);
    expect(sdk.ServiceError.is(foreign)).toBe(true);
    expect(sdk.NotFoundError.is(foreign)).toBe(true);
    expect(sdk.ForbiddenError.is(foreign)).toBe(false);
    expect(sdk.SocialConnectError.is(new Error("NOT_FOUND"))).toBe(false);
    expect(sdk.SocialConnectError.is(null)).toBe(false);
  });
});
