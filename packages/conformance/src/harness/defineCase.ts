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

export type CaseOptions = Partial<Pick<Case, "needs" | "lane" | "application" | "holds" | "readSafe">>;

/** Defines a case by its name, `ID: TITLE`. Options that follow it replace those that it shares with others. */
export type DefineCase = (name: string, run: Case["run"]) => { with(options: CaseOptions): void };

/** The cases that `define` defines, with the options that they share. */
export function defineCases(shared: CaseOptions, define: (test: DefineCase) => void): readonly Case[] {
  const cases: Case[] = [];
  define((name, run) => {
    const [, id = "", part, title = ""] = /^(S(\d)\..+?): (.+)$/.exec(name) ?? [];
    if (id === "") throw new Error(`The name "${name}" does not start with an id such as "S4.status: ".`);
    const defaults = { needs: [], lane: "alongside", application: "own", holds: [], readSafe: false } as const;
    const one: Case = { ...defaults, ...shared, id, part: Number(part), title, run };
    cases.push(one);
    return { with: (options) => void Object.assign(one, options) };
  });
  return cases;
}

export function pairsOf<const First, const Second>(firsts: readonly First[], seconds: readonly Second[]) {
  return firsts.flatMap((first) => seconds.map((second) => [first, second] as const));
}
