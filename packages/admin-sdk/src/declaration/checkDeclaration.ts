import type * as z from "zod/mini";
import { DeclarationError, type DeclarationProblem, type Path, placeOf } from "./declarationError.ts";
import { type CheckedDeclaration, clientSchema } from "./schema.ts";

/** Finds the line and column of a place in a file. */
export type Locate = (path: Path, what: "value" | "key") => Partial<DeclarationProblem>;

/** The positions of declarations in their files, so that errors of a plan can also name the line. */
const locators = new WeakMap<object, Locate>();

export function rememberPlaces(declaration: object, locate: Locate): void {
  locators.set(declaration, locate);
}

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

const MAX_UNKNOWN_KEYS = 20;

/** Converts zod's issues. The position of an unknown field is the field, not its parent. */
function problemsOf(declaration: unknown, issue: z.core.$ZodIssue): DeclarationProblem[] {
  const path = issue.path.filter((part) => typeof part !== "symbol");
  if (issue.code !== "unrecognized_keys") return [problemIn(declaration, path, issue.message)];
  const locate = typeof declaration === "object" && declaration !== null ? locators.get(declaration) : undefined;
  // Each is searched for in the file.
  return issue.keys.slice(0, MAX_UNKNOWN_KEYS).map((key) => {
    const place = [...path, key];
    return { place: placeOf(place), message: issue.message, ...locate?.(place, "key") };
  });
}
