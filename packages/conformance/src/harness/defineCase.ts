import type { Need } from "../target/target.ts";
import type { CaseContext } from "./context.ts";

/** `alongside`: with others. `alone`: nothing else runs. `timeline`: with the others that wait for the clock. */
export type Lane = "alongside" | "alone" | "timeline";

export interface Case {
  /** Part of the service description, feature, and what is shown: `S4.requestRefresh.busy-window`. */
  readonly id: string;
  /** What holds, as a sentence. */
  readonly title: string;
  /** Number of the part, for the table. */
  readonly part: 2 | 3 | 4 | 5 | 7 | 8;
  readonly needs: readonly Need[];
  /** Rows of the catalogue that this case reaches; held against what was on the wire. */
  readonly reaches: readonly string[];
  readonly lane: Lane;
  /** Whether it begins with an application of its own; cases of the admin side make what they need. */
  readonly application: "own" | "none";
  /** Names of things that no two cases may use at a time, such as a test account that is about to lose its grants. */
  readonly holds: readonly string[];
  /**
   * Whether it may be run against a service that other people use: whatever it sends is a query, or a mutation that has to be
   * refused, so nothing is made, changed or used up.
   */
  readonly readSafe: boolean;
  run(t: CaseContext): Promise<void>;
}

type Defaulted = "needs" | "reaches" | "lane" | "application" | "holds" | "readSafe";

export type CaseDefinition = Omit<Case, Defaulted> & Partial<Pick<Case, Defaulted>>;

export function defineCase(definition: CaseDefinition): Case {
  return { needs: [], reaches: [], lane: "alongside", application: "own", holds: [], readSafe: false, ...definition };
}
