/** Modules that are the same for any schema, or are its text. */
import { readFileSync } from "node:fs";
import { CONSUMER_PATHS, LIMITS } from "@social-connect/contract";
import { type ASTNode, parse, print, visit } from "graphql";
import { schemaText } from "./schemas.ts";

/** The class of an error code: `NOT_FOUND` becomes `NotFoundError`. */
function classOf(code: string): string {
  return `${code.toLowerCase().replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())}Error`;
}

/** A class for each error code, so that callers can distinguish errors with `instanceof`. `base` is the module of `ServiceError`. */
export function errorClasses(base: string, descriptions: Readonly<Record<string, string>>): string {
  const classes = Object.entries(descriptions).map(
    ([code, description]) =>
      `/** ${description} */\nexport class ${classOf(code)} extends ServiceError {\n  static override readonly family: string = "${classOf(code)}";\n}`,
  );
  const names = Object.keys(descriptions).map(classOf).join(", ");
  return [
    `import { ServiceError } from "${base}";`,
    ...classes,
    `/** \`NotFoundError\` has the code NOT_FOUND. */\nconst withCode = (known: typeof ServiceError) =>\n  [known.family.slice(0, -5).replace(/\\B[A-Z]/g, "_$&").toUpperCase(), known] as const;`,
    `/** The classes of the codes that this version knows. */\nexport const CLASS_BY_CODE: ReadonlyMap<string, typeof ServiceError> = new Map([${names}].map(withCode));`,
  ].join("\n\n");
}

/** The hooks of a client with the names of its operations. */
export function hookTypes(sdk: "sdk" | "admin-sdk"): string {
  // A document of the caller can have several root fields.
  const names = sdk === "sdk" ? 'OperationName | "request"' : "OperationName";
  const named = (name: string, description: string) =>
    `/** ${description} */\nexport type ${name} = Any${name}<${names}>;`;
  return [
    'import type {\n  Hooks as AnyHooks,\n  RequestEvent as AnyRequestEvent,\n  ResponseEvent as AnyResponseEvent,\n  RetryEvent as AnyRetryEvent,\n} from "@social-connect/sdk-core";\nimport type { OperationName } from "./operations.ts";',
    named("RequestEvent", "A request is about to be sent. A call sends one request, and more if it is retried."),
    named("ResponseEvent", "A request has ended, successfully or not."),
    named("RetryEvent", "The request will be retried."),
    named(
      "Hooks",
      "For logs, metrics and traces. Events contain operations, times and codes, but no arguments, responses or secrets. Errors\n * of a hook are ignored.",
    ),
  ].join("\n\n");
}

/** The name and version of an SDK, which its requests contain. A bundle cannot read its own package.json. */
export function versionModule(sdk: "sdk" | "admin-sdk"): string {
  const { version } = JSON.parse(readFileSync(new URL(`../../${sdk}/package.json`, import.meta.url), "utf8"));
  return `export const CLIENT = "${sdk}/${version}";`;
}

const DAY_MS = 86_400_000;

/** The limits and the path that the consumer SDK checks. The contract's whole lists would add 350 bytes to its bundle. */
export function sdkLimits(): string {
  const { aliases, depth, cost, costOfRootField, costOfNestedField, bodyBytes } = LIMITS;
  const { connectionsPageMax, contentPageMax, windowSpanMs } = LIMITS;
  const documents = { depth, aliases, cost, costOfRootField, costOfNestedField, bodyBytes };
  const pages = { connectionsPageMax, contentPageMax, windowDays: windowSpanMs / DAY_MS };
  const lines = Object.entries({ ...documents, ...pages }).map(([name, value]) => `  ${name}: ${value},`);
  return `export const LIMITS = {\n${lines.join("\n")}\n} as const;\n\nexport const IDENTITY_REDEEM_PATH = "${CONSUMER_PATHS.identityRedeem}";`;
}

type Union = readonly [description: string, name: string, members: readonly string[]];

/** Names of operations as unions, and what sending an operation a second time does, which decides about retries. */
export function sdkOperations<Details>(
  operations: Readonly<Record<string, Details>>,
  repeat: (operation: Details) => string,
  ...unions: readonly Union[]
): string {
  const member = (name: string) => (unions.some(([, union]) => union === name) ? name : `"${name}"`);
  const repeats = Object.entries(operations).map(([name, operation]) => `  ${name}: "${repeat(operation)}",`);
  return [
    ...unions.map(
      ([description, name, members]) =>
        `/** ${description} */\nexport type ${name} =${members.map((each) => `\n  | ${member(each)}`).join("")};`,
    ),
    "/** What sending an operation a second time does. */\nexport type Repeating = (typeof REPEATING)[keyof typeof REPEATING];",
    `export const REPEATING = {\n${repeats.join("\n")}\n} as const;`,
  ].join("\n\n");
}

/**
 * A schema as a module, because a bundle and a browser have no files to read. The mock publishes the consumer schema
 * unchanged. It does not publish the admin schema, which therefore needs no descriptions.
 */
export function schemaModule(api: "consumer" | "admin"): string {
  const text = api === "consumer" ? schemaText(api) : withoutDescriptions(schemaText(api));
  return `export const ${api.toUpperCase()}_SCHEMA_TEXT: string = ${JSON.stringify(text)};`;
}

function withoutDescriptions(text: string): string {
  const enter = (node: ASTNode) => ("description" in node ? { ...node, description: undefined } : undefined);
  return print(visit(parse(text), { enter }));
}
