/** The kinds of consumer that the packages promise to work for. */
export interface ConsumerKind {
  readonly name: string;
  /** `type` of the consumer's package.json. */
  readonly type: "commonjs" | "module";
  readonly compilerOptions: Readonly<Record<string, unknown>>;
  /** Whether its output is run as compiled, or bundled first. */
  readonly isBundled: boolean;
}

export const KINDS: readonly ConsumerKind[] = [
  {
    name: "node16-commonjs",
    type: "commonjs",
    compilerOptions: { module: "node16", moduleResolution: "node16" },
    isBundled: false,
  },
  {
    name: "nodenext-esm",
    type: "module",
    compilerOptions: { module: "nodenext", moduleResolution: "nodenext" },
    isBundled: false,
  },
  {
    name: "bundler",
    type: "module",
    compilerOptions: { module: "esnext", moduleResolution: "bundler" },
    isBundled: true,
  },
];

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
