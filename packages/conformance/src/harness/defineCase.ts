import type { Steps } from "../context/steps.ts";
import type { Need } from "../target/target.ts";

/**
 * `alongside`: concurrently with others. `alone`: nothing else runs. `timeline`: with the other cases that wait for the
 * clock.
 */
export type Lane = "alongside" | "alone" | "timeline";

export interface Case {
  /** Part of the service description, feature, and behaviour: `S4.requestRefresh.busy-window`. */
  readonly id: string;
  readonly title: string;
  /** Number of the part, from the id, for the table. */
  readonly part: number;
  readonly needs: readonly Need[];
  readonly lane: Lane;
  /** Whether it starts with its own application; admin cases create what they need. */
  readonly application: "own" | "none";
  /** Locks: names of resources that no two cases may use concurrently, such as a test account whose grants will end. */
  readonly holds: readonly string[];
  /**
   * Whether it may run against a service in use: it sends only queries, and mutations that must be refused, so nothing
   * is created, changed or used up.
   */
  readonly readSafe: boolean;
  run(t: Steps): Promise<void>;
}

type Defaulted = "needs" | "lane" | "application" | "holds" | "readSafe";

export type CaseDefinition = Omit<Case, Defaulted | "part"> & Partial<Pick<Case, Defaulted>>;

export function defineCase(definition: CaseDefinition): Case {
  const part = Number(/^S(\d)\./.exec(definition.id)?.[1]);
  if (Number.isNaN(part)) throw new Error(`The id ${definition.id} does not start with a part such as "S4.".`);
  const defaults = {
    needs: [],
    lane: "alongside",
    application: "own",
    holds: [],
    readSafe: false,
  } as const;
  return { ...defaults, part, ...definition };
}

type CaseDefinitions = Readonly<Record<string, Omit<CaseDefinition, "id">>>;

/** Defines cases that share properties; a definition with its own value replaces the shared one. */
export function defineCasesWith(shared: Partial<Pick<Case, "needs" | "lane" | "application" | "readSafe">>) {
  return (definitions: CaseDefinitions): readonly Case[] =>
    Object.entries(definitions).map(([id, definition]) => defineCase({ id, ...shared, ...definition }));
}

export const defineCases = defineCasesWith({});

/** Cases that differ only by a value. */
export function caseForEach<const Value>(
  values: readonly Value[],
  define: (value: Value) => CaseDefinition,
): CaseDefinitions {
  const definitions = values.map((value) => define(value));
  return Object.fromEntries(definitions.map(({ id, ...definition }) => [id, definition]));
}

export function pairsOf<const First, const Second>(
  firsts: readonly First[],
  seconds: readonly Second[],
): (readonly [First, Second])[] {
  return firsts.flatMap((first) => seconds.map((second) => [first, second] as const));
}
