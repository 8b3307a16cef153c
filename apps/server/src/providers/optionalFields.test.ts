import { describe, expect, test } from "vitest";
import type { HttpAnswer } from "./httpJson.ts";
import { type Fields, readFields } from "./optionalFields.ts";

const FIELDS: Fields = { required: ["id"], optional: ["a", "b", "c", "d", "e", "f", "g", "h", "i"] };

/** A provider that refuses calls with any of these fields, and may name them. */
function provider(refuses: readonly string[], naming: "all" | "first" | "none") {
  const asked: (readonly string[])[] = [];
  const ask = async (fields: readonly string[]): Promise<HttpAnswer> => {
    asked.push(fields);
    const found = fields.filter((field) => refuses.includes(field));
    const named = { all: found, first: found.slice(0, 1), none: [] }[naming];
    const body = found.length === 0 ? { fields } : { message: `refused: (${named.join(")(")})` };
    const status = found.length === 0 ? 200 : 400;
    return {
      status,
      ok: status === 200,
      headers: new Headers(),
      body,
      empty: false,
      retryAfterSeconds: null,
      secrets: [],
    };
  };
  const refusalOf = ({ body }: HttpAnswer) => (body as { message?: string }).message ?? null;
  return { asked, ask, refusalOf, read: () => readFields(FIELDS, ask, refusalOf) };
}

describe.each(["all", "first", "none"] as const)("a provider that names %s of the refused fields", (naming) => {
  test.each(
    [[], ["a"], ["i"], ["e"], ["a", "b"], ["a", "i"], ["c", "d", "h"], [...FIELDS.optional]].map((one) => [one]),
  )("loses only %j", async (refused) => {
    const { asked, read } = provider(refused, naming);
    const found = await read();
    const given = FIELDS.optional.filter((field) => !refused.includes(field));
    expect(found.refused).toEqual(refused);
    expect([...(found.answer.body as { fields: string[] }).fields].sort()).toEqual([...given, "id"].sort());
    expect(asked.length).toBeLessThanOrEqual(2 + 2 * FIELDS.optional.length);
  });

  test("loses nothing to a refusal that passes", async () => {
    const refused = [...FIELDS.optional];
    const { ask, refusalOf } = provider(refused, naming === "none" ? "none" : "all");
    const read = readFields(FIELDS, (fields) => ask(fields).finally(() => refused.splice(0)), refusalOf);
    expect((await read).refused).toEqual(naming === "none" ? [] : FIELDS.optional);
  });

  test("returns the refusal of a required field after at most two calls", async () => {
    const { asked, read } = provider(["id"], naming);
    expect((await read()).answer.status).toBe(400);
    expect(asked.length).toBeLessThanOrEqual(2);
  });
});
