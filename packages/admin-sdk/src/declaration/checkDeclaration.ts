import type { ClientDeclaration, DeclaredReturnUrl } from "./declaration.ts";
import { DeclarationError, type DeclarationProblem, type Path, placeOf } from "./declarationError.ts";
import { asReturnUrl, checkClient } from "./schema.ts";

/** A valid declaration, with all return URLs as objects. */
export interface CheckedDeclaration extends Omit<ClientDeclaration, "returnUrls"> {
  readonly returnUrls?: readonly (Pick<DeclaredReturnUrl, "url"> & Partial<DeclaredReturnUrl>)[] | undefined;
}

/** Finds the line and column of a place in a file. */
export type Locate = (path: Path, what: "value" | "key") => Partial<DeclarationProblem>;

/** The positions of declarations in their files, so that errors of a plan can also name the line. */
const locators = new WeakMap<object, Locate>();

export function rememberPlaces(declaration: object, locate: Locate): void {
  locators.set(declaration, locate);
}

export function problemIn(
  declaration: unknown,
  path: Path,
  message: string,
  at: "value" | "key" = "value",
): DeclarationProblem {
  const locate = typeof declaration === "object" && declaration !== null ? locators.get(declaration) : undefined;
  return { place: placeOf(path), message, ...locate?.(path, at) };
}

/** Validates a declaration. Throws DeclarationError with all of its problems. */
export function checkDeclaration(declaration: unknown): CheckedDeclaration {
  const problems = checkClient(declaration, []);
  if (problems.length > 0) {
    throw new DeclarationError(problems.map(({ path, message, at }) => problemIn(declaration, path, message, at)));
  }
  const { returnUrls, ...checked } = declaration as ClientDeclaration;
  if (returnUrls === undefined) return checked;
  return { ...checked, returnUrls: returnUrls.map(asReturnUrl) as NonNullable<CheckedDeclaration["returnUrls"]> };
}
