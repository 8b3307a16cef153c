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

test("returns a successful result unchanged", () => {
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
  // An error type that was added after this page was loaded.
  ["SomethingNewError", { message: "x" }, "UPSTREAM_UNAVAILABLE"],
])("throws %s with its details", (__typename, { message, ...parts }, code) => {
  const failure = failureOf({ __typename, message, ...parts } as unknown as { readonly __typename: string });
  expect(failure).toBeInstanceOf(Failure);
  expect(failure).toMatchObject({ code, ...parts });
});

test("completes a message to a sentence, and hides unexpected errors", () => {
  expect(failureOf({ __typename: "NotFoundError", message: "the client does not exist" } as never).message).toBe(
    "The client does not exist.",
  );
  expect(asFailure(new TypeError("secret detail")).message).not.toContain("secret");
});
