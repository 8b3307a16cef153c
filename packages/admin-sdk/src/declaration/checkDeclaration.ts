import type * as z from "zod/mini";
import type { DeclarationProblem, Path } from "./declarationError.ts";
import { DeclarationError, placeOf } from "./declarationError.ts";
import type { CheckedDeclaration } from "./schema.ts";
import { clientSchema } from "./schema.ts";

/** Finds the line and column of a place in a file. */
export type Locate = (path: Path, what: "value" | "key") => Partial<DeclarationProblem>;

/** Where declarations that were read from files came from, so that a plan can name the line, too. */
const locators = new WeakMap<object, Locate>();

export function rememberPlaces(declaration: object, locate: Locate): void {
  locators.set(declaration, locate);
}

/** Makes the problem at a place of a declaration. */
export function problemIn(declaration: unknown, path: Path, message: string): DeclarationProblem {
  const locate = typeof declaration === "object" && declaration !== null ? locators.get(declaration) : undefined;
  return { place: placeOf(path), message, ...locate?.(path, "value") };
}

/** Validates a declaration. Throws DeclarationError with all of its problems. */
export function checkDeclaration(declaration: unknown): CheckedDeclaration {
  const result = clientSchema.safeParse(declaration);
  if (result.success) return result.data;
  throw new DeclarationError(result.error.issues.flatMap((issue) => problemsOf(declaration, issue)));
}

/** What zod found, as problems: an unknown field is at the field, not at what holds it. */
function problemsOf(declaration: unknown, issue: z.core.$ZodIssue): DeclarationProblem[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code !== "unrecognized_keys") return [problemIn(declaration, path, issue.message)];
  const locate = typeof declaration === "object" && declaration !== null ? locators.get(declaration) : undefined;
  return issue.keys.map((key) => {
    const place = [...path, key];
    return { place: placeOf(place), message: issue.message, ...locate?.(place, "key") };
  });
}
