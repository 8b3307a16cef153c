import { DOCUMENT_PARTS } from "../_generated/consumerWire.ts";
import { repeated } from "../context/findings.ts";
import type { Steps } from "../context/steps.ts";
import { defineCasesWith } from "../harness/defineCase.ts";

/** A document passed the limits when it ran, regardless of its fields' results. */
async function passes(t: Steps, query: string, what: string, variables: unknown = {}): Promise<void> {
  const answer = await t.api.graphql(query, variables);
  t.equal(answer.status, 200, `${what} is accepted (${answer.text.slice(0, 160)})`);
}

async function isRefused(t: Steps, query: string, what: string, variables: unknown = {}): Promise<void> {
  t.refusedDocument(await t.api.graphql(query, variables), what);
}

const aliases = (count: number) => repeated(count, (i) => `a${i}: ok`);

const VARIABLES = `($s: SubjectScope!, $w: ContentWindow!)`;
/** Three root fields, two of them with every field below them. */
const WIDE = `connections(scope: $s) { ${DOCUMENT_PARTS.connections.fields} }
  content(scope: $s, connectionId: "x", window: $w) { ${DOCUMENT_PARTS.content.fields} } status`;
/** An independent count of the document above: a word outside of arguments is a field, three of them at the root. */
function costOf(document: string): number {
  const withoutArguments = document.replace(/\([^)]*\)/g, "").replace(/\w+\s*:/g, "");
  return (withoutArguments.match(/\w+/g) ?? []).length + 3 * 9;
}

export const DOCUMENT_LIMIT_CASES = defineCasesWith({ readSafe: true })({
  "S8.aliases.boundary": {
    title: "8 aliases are accepted and 9 are refused.",
    run: async (t) => {
      await passes(t, `{ status { ${aliases(8)} } }`, "8 aliases");
      await isRefused(t, `{ status { ${aliases(9)} } }`, "9 aliases");
    },
  },
  "S8.aliases.root": {
    title: "Aliases of root fields count like others.",
    run: async (t) => {
      await passes(t, `{ ${repeated(8, (i) => `s${i}: status { ok }`)} }`, "8 aliased root fields");
      await isRefused(t, `{ ${repeated(9, (i) => `s${i}: status { ok }`)} }`, "9 aliased root fields");
    },
  },
  "S8.aliases.typename": {
    title: "Aliases of __typename count too, a thousand of them included.",
    run: async (t) => {
      await passes(t, `{ status { ${repeated(8, (i) => `t${i}: __typename`)} } }`, "8");
      await isRefused(t, `{ status { ${repeated(9, (i) => `t${i}: __typename`)} } }`, "9");
      await isRefused(t, `{ ${repeated(1_000, (i) => `t${i}: __typename`)} }`, "1,000");
    },
  },
  "S8.aliases.fragments": {
    title: "Aliases in a fragment count where the fragment is spread.",
    run: async (t) => {
      const named = (spreads: number) =>
        `{ status { ${"...F ".repeat(spreads)} } } fragment F on ApiStatus { ${aliases(4)} }`;
      await passes(t, named(2), "4 aliases spread twice");
      await isRefused(t, named(3), "4 aliases spread three times");
      await isRefused(t, `{ status { ... on ApiStatus { ${aliases(9)} } } }`, "9 in an inline fragment");
    },
  },
  "S8.depth.boundary": {
    title: "A selection 9 fields deep is refused for its depth; one of 8 is not.",
    run: async (t) => {
      // No response of this API is 8 deep, so the shallower document is also refused: for its fields, not for its
      // depth.
      const deep = (levels: number) => `{ status { ${"x { ".repeat(levels - 2)} y ${"} ".repeat(levels - 2)} } }`;
      const nine = await t.api.graphql(deep(9));
      const eight = await t.api.graphql(deep(8));
      t.refusedDocument(nine, "9 deep");
      t.matches(nine.text, /depth|deep/i, "the refusal of 9 names the depth");
      t.holds(!/depth|too deep/i.test(eight.text), "the refusal of 8 does not", eight.text.slice(0, 300));
    },
  },
  "S8.depth.deepest-answer": {
    title: "The deepest response of the API is accepted, including fragments.",
    run: async (t) => {
      const query = `query${VARIABLES} { content(scope: $s, connectionId: "x", window: $w) { ...P } }
        fragment P on ContentPage { items { metrics { ...M } } } fragment M on MetricObservation { name value }`;
      await passes(t, query, "content.items.metrics.name", variables(t));
    },
  },
  "S8.depth.fragments": {
    title: "Fragments do not hide depth.",
    run: async (t) => {
      const query = `{ status { ...A } } fragment A on ApiStatus { ${"x { ".repeat(7)} y ${"} ".repeat(7)} }`;
      const answer = await t.api.graphql(query);
      t.refusedDocument(answer, "9 deep through a fragment");
      t.matches(answer.text, /depth|deep/i, "the refusal names the depth");
    },
  },
  "S8.cost.boundary": {
    title: "A document of cost 100 is accepted and one of 101 is refused: 10 for a root field, 1 for a nested one.",
    run: async (t) => {
      const base = costOf(WIDE);
      const upTo = (cost: number) => `${WIDE} { ${"ok ".repeat(cost - base)} }`;
      t.holds(base < 100, "the fields of two operations cost less than 100", base);
      t.equal(costOf(upTo(100)), 100, "the independent count");
      await passes(t, `query${VARIABLES} { ${upTo(100)} }`, "cost 100", variables(t));
      await isRefused(t, `query${VARIABLES} { ${upTo(101)} }`, "cost 101", variables(t));
    },
  },
  "S8.cost.repeated-fields": {
    title: "A repeated field costs each time.",
    run: async (t) => {
      await passes(t, `{ status { ${"ok ".repeat(90)} } }`, "10 and 90");
      await isRefused(t, `{ status { ${"ok ".repeat(91)} } }`, "10 and 91");
    },
  },
  "S8.cost.root-fields": {
    title: "A root field costs 10 even without an alias.",
    run: async (t) => {
      await passes(t, `{ ${"status { ok } ".repeat(9)} }`, "9 root fields and 9 nested: 99");
      await isRefused(t, `{ ${"status { ok } ".repeat(10)} }`, "10 root fields and 10 nested: 110");
    },
  },
  "S8.cost.fragments": {
    title: "A fragment costs each time it is spread.",
    run: async (t) => {
      const spread = (count: number) =>
        `{ status { ${"...F ".repeat(count)} } } fragment F on ApiStatus { ${"ok ".repeat(30)} }`;
      await passes(t, spread(3), "10 and 3 times 30");
      await isRefused(t, spread(4), "10 and 4 times 30");
    },
  },
  "S8.cost.message": {
    title: "A refusal for cost names the cost.",
    run: async (t) => {
      const answer = await t.api.graphql(`{ ${"status { ok } ".repeat(20)} }`);
      t.refusedDocument(answer, "cost 220");
      t.matches(answer.body?.errors?.[0]?.message, /cost/i, "message");
    },
  },
});

function variables(t: Steps) {
  const window = { publishedAfter: "2026-01-01T00:00:00.000Z", publishedBefore: "2026-02-01T00:00:00.000Z", first: 1 };
  return { s: t.scope(), w: window };
}
