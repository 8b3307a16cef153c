/** The kinds of consumer that the packages promise to work for. */
export interface ConsumerKind {
  readonly name: string;
  /** `type` of the consumer's package.json. */
  readonly type: "commonjs" | "module";
  readonly module: string;
  readonly moduleResolution: string;
  /** The versions of TypeScript that have this combination; all by default. */
  readonly since?: number;
  readonly until?: number;
}

export const KINDS: readonly ConsumerKind[] = [
  { name: "node10-commonjs", type: "commonjs", module: "commonjs", moduleResolution: "node10", until: 6 },
  { name: "node16-commonjs", type: "commonjs", module: "node16", moduleResolution: "node16" },
  { name: "node16-esm", type: "module", module: "node16", moduleResolution: "node16" },
  { name: "nodenext-commonjs", type: "commonjs", module: "nodenext", moduleResolution: "nodenext" },
  { name: "nodenext-esm", type: "module", module: "nodenext", moduleResolution: "nodenext" },
  // Its output is bundled before it runs.
  { name: "bundler", type: "module", module: "esnext", moduleResolution: "bundler" },
  { name: "bundler-commonjs", type: "commonjs", module: "commonjs", moduleResolution: "bundler", since: 6 },
];

/** Whether a version of TypeScript, such as 5.4, has this combination of module and resolution. */
export function isCompiledBy({ since = 0, until = Number.POSITIVE_INFINITY }: ConsumerKind, version: number): boolean {
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
