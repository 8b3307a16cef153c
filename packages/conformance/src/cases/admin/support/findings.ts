import type { AuditEntry } from "../../../_generated/adminWire.ts";
import { UUID } from "../../../context/findings.ts";
import type { Steps } from "../../../context/steps.ts";
import { allOf, type WireAnswer } from "../../../wire/call.ts";
import type { AdminOperationName } from "../../../wire/documents.ts";

const EXTENSIONS = new Set(["code", "reason", "correlationId", "retryAfterSeconds"]);

/** The response to a refused operation: HTTP 200, one error with a code and a correlation id, and no data. */
export function adminRefusal(t: Steps, answer: WireAnswer, what: string): void {
  t.equal(answer.status, 200, `${what}: HTTP status`);
  t.matches(answer.headers.get("content-type"), /json/, `${what}: content type`);
  t.equal(answer.body?.data, null, `${what}: no data`);
  t.equal(answer.body?.errors?.length, 1, `${what}: one error`);
  for (const error of answer.body?.errors ?? []) {
    t.matches(error.message, /./, `${what}: message`);
    t.matches(error.extensions?.correlationId, UUID, `${what}: correlationId`);
    const others = Object.keys(error.extensions ?? {}).filter((key) => !EXTENSIONS.has(key));
    t.equal(others, [], `${what}: no other extension`);
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

/** The operation refuses these arguments, and its message does not say which one it was. */
export async function refusesArguments(t: Steps, name: AdminOperationName, args: unknown, names: readonly string[]) {
  const what = `${name} refuses ${JSON.stringify(args).slice(0, 120)}`;
  const { answer } = await t.admin.refuses(name, args, "BAD_USER_INPUT", null, { what });
  for (const { message } of answer.body?.errors ?? []) {
    const named = names.filter((one) => message.includes(one));
    t.equal(named, [], "the message names no field (service description, part 7)");
  }
}

export function entriesOf(t: Steps, apiKeyId: string): Promise<AuditEntry[]> {
  return allOf((after) => t.admin.get("adminAuditEntries", { apiKeyId, first: 100, after }));
}

/** The audit entries of a key are these, newest first. */
export async function audited(t: Steps, apiKeyId: string, actions: readonly string[]): Promise<void> {
  const given = (await entriesOf(t, apiKeyId)).map(({ action }) => action);
  t.equal(given, actions, "the key's audit entries");
}
