/** The kinds of consumer that the packages promise to work for. */
export interface ConsumerKind {
  readonly name: string;
  /** `type` of the consumer's package.json. */
  readonly type: "commonjs" | "module";
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  /** Whether its output is run as compiled, or bundled first. */
  readonly isBundled: boolean;
  /** The versions of TypeScript that have this combination; all by default. */
  readonly since?: number;
  readonly until?: number;
}

export const KINDS: readonly ConsumerKind[] = [
  {
    name: "node10-commonjs",
    type: "commonjs",
    compilerOptions: { module: "commonjs", moduleResolution: "node10" },
    isBundled: false,
    until: 6,
  },
  ...["node16", "nodenext"].flatMap((resolution): ConsumerKind[] => {
    const compilerOptions = { module: resolution, moduleResolution: resolution };
    return [
      { name: `${resolution}-commonjs`, type: "commonjs", compilerOptions, isBundled: false },
      { name: `${resolution}-esm`, type: "module", compilerOptions, isBundled: false },
    ];
  }),
  {
    name: "bundler",
    type: "module",
    compilerOptions: { module: "esnext", moduleResolution: "bundler" },
    isBundled: true,
  },
  {
    name: "bundler-commonjs",
    type: "commonjs",
    compilerOptions: { module: "commonjs", moduleResolution: "bundler" },
    isBundled: false,
    since: 6,
  },
];

/** Whether a version of TypeScript, such as 5.4, has this combination of module and resolution. */
export function isCompiledBy({ since = 0, until = Number.POSITIVE_INFINITY }: ConsumerKind, version: number): boolean {
  return version >= since && version <= until;
}

/** What every consumer is compiled with: as strict as it gets, declarations of the packages included. */
export const COMMON_OPTIONS: Readonly<Record<string, unknown>> = {
  target: "es2022",
  // No `dom`: what the packages need of the platform has to be in every server's types.
  lib: ["es2022"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  rootDir: ".",
};

/** The options of a kind for one compiler: TypeScript 6 accepts `node10` with this confirmation only. */
export function optionsOf({ compilerOptions }: ConsumerKind, version: number): Readonly<Record<string, unknown>> {
  const confirmed = compilerOptions["moduleResolution"] === "node10" && version >= 6;
  return { ...COMMON_OPTIONS, ...compilerOptions, ...(confirmed ? { ignoreDeprecations: "6.0" } : {}) };
}
