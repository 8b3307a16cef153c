import type { CaseContext } from "../../../harness/context.ts";
import type { WireAnswer } from "../../../wire/call.ts";
import { UUID } from "../../support/findings.ts";

const EXTENSIONS = new Set(["code", "reason", "correlationId", "retryAfterSeconds"]);

/** The response to a refused operation: HTTP 200, one error with a code and a correlation id, and no data. */
export function adminRefusal(t: CaseContext, answer: WireAnswer, what: string): void {
  t.equal(answer.status, 200, `${what}: HTTP status`);
  t.matches(answer.headers.get("content-type"), /json/, `${what}: content type`);
  t.equal(answer.body?.data, null, `${what}: no data`);
  t.equal(answer.body?.errors?.length, 1, `${what}: one error`);
  for (const error of answer.body?.errors ?? []) {
    t.matches(error.message, /./, `${what}: message`);
    t.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
    t.equal(
      Object.keys(error.extensions ?? {}).filter((key) => !EXTENSIONS.has(key)),
      [],
      `${what}: no other extension`,
    );
  }
}

/** A document that was refused before anything ran: HTTP 400, BAD_USER_INPUT, with the same message for any reason. */
export function adminDocumentRefusal(t: CaseContext, answer: WireAnswer, what: string): void {
  t.equal(answer.status, 400, `${what}: HTTP status`);
  t.equal(answer.body?.data ?? null, null, `${what}: no data`);
  t.holds((answer.body?.errors?.length ?? 0) > 0, `${what}: an errors array`, answer.text.slice(0, 300));
  for (const error of answer.body?.errors ?? []) {
    t.equal([error.extensions?.code, error.extensions?.reason], ["BAD_USER_INPUT", undefined], `${what}: code`);
    t.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
  }
}

/** The comparable part of two indistinguishable refusals. */
export function shapeOf(answer: WireAnswer): string {
  const errors = answer.body?.errors?.map(({ extensions, ...error }) => ({
    ...error,
    extensions: { ...extensions, correlationId: typeof extensions?.correlationId },
  }));
  return JSON.stringify([answer.status, answer.body?.data ?? null, errors]);
}

/** The message of a refused argument does not say which one it was (service description, part 7). */
export function namesNothing(t: CaseContext, answer: WireAnswer, names: readonly string[]): void {
  for (const { message } of answer.body?.errors ?? []) {
    t.equal(
      names.filter((name) => message.includes(name)),
      [],
      "the message names no field",
    );
  }
}
