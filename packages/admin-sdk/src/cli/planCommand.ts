import { printableJson } from "@social-connect/contract";
import { ConfigurationError } from "@social-connect/sdk-core";
import type { ClientDeclaration } from "../declaration/declaration.ts";
import { DeclarationError } from "../declaration/declarationError.ts";
import { parseDeclarations } from "../declaration/parseDeclarations.ts";
import { describePlan } from "../plan/describe.ts";
import { checkPlan } from "../plan/parsePlan.ts";
import type { ClientPlan } from "../plan/plan.ts";
import type { AdminReader } from "../reader.ts";
import { type Context, readerOf, readInput, writeOutput } from "./context.ts";
import { EXIT, type ExitCode } from "./exitCodes.ts";
import { UsageError } from "./usage.ts";

export async function showPlans(context: Context): Promise<ExitCode> {
  const { json, out, exitCode } = context.options;
  const declarations = await readDeclarations(context);
  const plans = await planAll(readerOf(context), declarations, context);
  if (out !== undefined) await writeOutput(context, out, `${printableJson({ plans })}\n`);
  context.print(json ? printableJson({ plans }) : plans.map(describePlan).join("\n"));
  return exitCode && plans.some(hasSomethingToDo) ? EXIT.differs : EXIT.done;
}

export function hasSomethingToDo(plan: ClientPlan): boolean {
  return plan.steps.length > 0 || plan.obstacles.length > 0;
}

/** All declarations of the named files. Errors in a file are reported before the service is called. */
export async function readDeclarations(context: Context): Promise<readonly ClientDeclaration[]> {
  const { file: paths } = context.options;
  if (paths.length === 0) throw new UsageError("Pass a declaration with -f.");
  const declarations: ClientDeclaration[] = [];
  for (const path of paths) {
    const source = path === "-" ? "(standard input)" : path;
    declarations.push(...parseDeclarations(await readInput(context, path), { source }));
  }
  refuseTwice(declarations);
  return declarations;
}

export async function planAll(
  admin: AdminReader,
  declarations: readonly ClientDeclaration[],
  { signal, environment: eventSecrets }: Pick<Context, "signal" | "environment">,
): Promise<readonly ClientPlan[]> {
  const plans: ClientPlan[] = [];
  for (const declaration of declarations) plans.push(await admin.plan(declaration, { signal, eventSecrets }));
  return plans;
}

/** Reads the plans of a file written by `--out`. */
export async function readPlans(context: Context, path: string): Promise<readonly ClientPlan[]> {
  const text = await readInput(context, path);
  const refusal = new ConfigurationError("The file contains no plans. Create a plan file with `plan --out`.");
  let plans: unknown;
  try {
    const value: unknown = JSON.parse(text);
    plans = typeof value === "object" && value !== null ? Reflect.get(value, "plans") : undefined;
  } catch {
    throw refusal;
  }
  if (!Array.isArray(plans)) throw refusal;
  return plans.map((plan: unknown) => {
    checkPlan(plan);
    return plan;
  });
}

function refuseTwice(declarations: readonly ClientDeclaration[]): void {
  const seen = new Set<string>();
  for (const { slug } of declarations) {
    if (seen.has(slug)) throw new DeclarationError([{ place: "slug", message: `${slug} is declared in two files` }]);
    seen.add(slug);
  }
}
