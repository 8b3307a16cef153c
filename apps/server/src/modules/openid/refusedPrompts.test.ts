import { expect, test } from "vitest";
import { refusesPrompt } from "./refusedPrompts.ts";

const refuses = (query: string, prompt: string | null = "select_account") =>
  refusesPrompt(new URLSearchParams(query), prompt);

test.each([
  "invalid_request",
  "interaction_required",
  "login_required",
  "account_selection_required",
  "unsupported_prompt",
])("the error %s refuses the prompt of the request, if it has one", (error) => {
  expect(refuses(`error=${error}`)).toBe(true);
  expect(refuses(`error=${error}`, null)).toBe(false);
});

test.each(["access_denied", "server_error", "temporarily_unavailable", "invalid_scope", "unauthorized_client"])(
  "the error %s says nothing about the prompt",
  (error) => expect(refuses(`error=${error}`)).toBe(false),
);

test("a code, no error and two errors refuse no prompt", () => {
  for (const query of ["code=1", "", "error=invalid_request&error=access_denied"]) expect(refuses(query)).toBe(false);
});
