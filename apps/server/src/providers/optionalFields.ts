import type { HttpAnswer } from "./httpJson.ts";

/** The fields that an adapter requests of one kind of object. */
export interface Fields {
  /** Without these the response is of no use. */
  readonly required: readonly string[];
  readonly optional: readonly string[];
}

export interface FieldRead {
  readonly answer: HttpAnswer;
  /** Optional fields that the provider refuses. */
  readonly refused: readonly string[];
}

/** All fields, without the fields that the provider refused before. */
export function fieldsWithout({ required, optional }: Fields, refused: readonly string[] = []): Fields {
  return { required, optional: optional.filter((field) => !refused.includes(field)) };
}

/**
 * Reads an object. A provider refuses a whole call for one field, so a call that it refuses for optional fields is repeated
 * without the fields that the message names. If it names none, the fields are searched by halves, after a call with the required
 * ones has shown that the refusal concerns the others. `refusalOf` returns the message of such a refusal, null for any other
 * response.
 */
export async function readFields(
  { required, optional }: Fields,
  ask: (fields: readonly string[]) => Promise<HttpAnswer>,
  refusalOf: (answer: HttpAnswer) => string | null,
): Promise<FieldRead> {
  let asked = [...optional];
  const done = (answer: HttpAnswer, given: readonly string[]): FieldRead => {
    return { answer, refused: optional.filter((field) => !given.includes(field)) };
  };
  for (;;) {
    const answer = await ask([...required, ...asked]);
    const message = refusalOf(answer);
    if (message === null || asked.length === 0) return done(answer, asked);
    const rest = asked.filter((field) => !names(message, field));
    if (rest.length === asked.length) break;
    asked = rest;
  }
  const given: string[] = [];
  let isConfirmed = false;
  let latest = await ask(required);
  if (refusalOf(latest) !== null) return done(latest, given);
  const isGiven = async (group: readonly string[]): Promise<boolean> => {
    const answer = await ask([...required, ...given, ...group]);
    isConfirmed ||= refusalOf(answer) !== null;
    if (refusalOf(answer) !== null) return false;
    given.push(...group);
    latest = answer;
    return true;
  };
  /** Searches fields that the provider refuses together with the given ones. */
  const search = async (group: readonly string[]): Promise<void> => {
    if (group.length <= 1) {
      // Perhaps the first refusal has passed.
      if (!isConfirmed) await isGiven(group);
      return;
    }
    const middle = Math.ceil(group.length / 2);
    const [first, second] = [group.slice(0, middle), group.slice(middle)];
    if (await isGiven(first)) return search(second);
    await search(first);
    if (!(await isGiven(second))) await search(second);
  };
  await search(asked);
  return done(latest, given);
}

function names(message: string, field: string): boolean {
  return message.split(/\W/).includes(field);
}
