/** The kinds of consumer that the packages promise to work for. */
export interface ConsumerKind {
  readonly name: string;
  /** `type` of the consumer's package.json. */
  readonly type: "commonjs" | "module";
  readonly module: string;
  readonly moduleResolution: string;
  /** The versions of TypeScript that have this combination. */
  readonly since: number;
  readonly until: number;
}

function kind(
  name: string,
  type: ConsumerKind["type"],
  [module, moduleResolution]: readonly [string, string],
  { since = 0, until = Number.POSITIVE_INFINITY } = {},
): ConsumerKind {
  return { name, type, module, moduleResolution, since, until };
}

export const KINDS: readonly ConsumerKind[] = [
  kind("node10-commonjs", "commonjs", ["commonjs", "node10"], { until: 6 }),
  kind("node16-commonjs", "commonjs", ["node16", "node16"]),
  kind("node16-esm", "module", ["node16", "node16"]),
  kind("nodenext-commonjs", "commonjs", ["nodenext", "nodenext"]),
  kind("nodenext-esm", "module", ["nodenext", "nodenext"]),
  // Its output is bundled before it runs.
  kind("bundler", "module", ["esnext", "bundler"]),
  kind("bundler-commonjs", "commonjs", ["commonjs", "bundler"], { since: 6 }),
];

/** Whether a version of TypeScript, such as 5.4, has this combination of module and resolution. */
export function isCompiledBy({ since, until }: ConsumerKind, version: number): boolean {
  return version >= since && version <= until;
}

/** As strict as it gets, declarations of the packages included. */
export function optionsOf({ module, moduleResolution }: ConsumerKind, version: number) {
  return {
    module,
    moduleResolution,
    target: "es2022",
    // No `dom`: what the packages need of the platform has to be in every server's types.
    lib: ["es2022"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    rootDir: ".",
    // TypeScript 6 accepts `node10` with this confirmation only.
    ...(moduleResolution === "node10" && version >= 6 ? { ignoreDeprecations: "6.0" } : {}),
  };
}
