import { expect, test } from "vitest";
import { asFailure, Failure } from "./failure.ts";
import { unwrap } from "./result.ts";

function failureOf(result: { readonly __typename: string }): Failure {
  try {
    unwrap(result);
  } catch (error) {
    return asFailure(error);
  }
  throw new Error("nothing was thrown");
}

test("the record of a result comes through as it is", () => {
  const key = { __typename: "MintedApiKey", key: "x" } as const;
  expect(unwrap(key)).toBe(key);
});

test.each([
  ["InvalidInputError", { field: "label", message: "a label has 1 to 80 characters" }, "BAD_USER_INPUT"],
  ["ConflictError", { reason: "KEY_LIMIT", message: "x" }, "CONFLICT"],
  ["NotFoundError", { message: "x" }, "NOT_FOUND"],
  [
    "ConfirmationRequiredError",
    { confirmUrl: "http://127.0.0.1/panel/confirm", message: "x" },
    "CONFIRMATION_REQUIRED",
  ],
  ["ProviderCheckError", { problems: [{ address: "token", problem: "y" }], message: "x" }, "PROVIDER_CHECK"],
  // A kind that the service learned after this page was loaded.
  ["SomethingNewError", { message: "x" }, "UPSTREAM_UNAVAILABLE"],
])("%s is thrown with all that it says", (__typename, { message, ...parts }, code) => {
  const failure = failureOf({ __typename, message, ...parts } as unknown as { readonly __typename: string });
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code, ...parts });
});

test("half a sentence of a rule is shown as a whole one", () => {
  expect(failureOf({ __typename: "NotFoundError", message: "the client is gone" } as never).message).toBe(
    "The client is gone.",
  );
  expect(asFailure(new TypeError("secret detail")).message).not.toContain("secret");
});
