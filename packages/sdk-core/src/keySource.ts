import { ConfigurationError } from "./errors.ts";
import { type KeyShape, keyProblem } from "./keyProblem.ts";
import { revealed, Secret, type SecretText } from "./secret.ts";

/** A key, or a function that is called before each request, so that a key can be rotated without a restart. */
export type KeySource = SecretText | (() => SecretText | Promise<SecretText>);

/** Returns the key for each request. A fixed key is validated immediately, a key from a function on every call. */
export function keyReader(source: KeySource, shape: KeyShape): (operation?: string) => Promise<Secret> {
  if (typeof source !== "function") {
    const key = checkedKey(source, shape, undefined);
    return async () => key;
  }
  return async (operation) => {
    let value: unknown;
    try {
      value = await source();
    } catch {
      // The error of the caller's function may contain the key, so it is not passed on.
      throw new ConfigurationError("The key function failed, so nothing was sent.", operation);
    }
    return checkedKey(value, shape, operation);
  };
}

function checkedKey(value: unknown, shape: KeyShape, operation: string | undefined): Secret {
  const text = revealed(value);
  const problem = keyProblem(text ?? value, shape);
  if (text === undefined || problem !== undefined) throw new ConfigurationError(`${shape.name} ${problem}.`, operation);
  return new Secret(text);
}
