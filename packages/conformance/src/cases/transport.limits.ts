import { DOCUMENT_PARTS } from "../_generated/consumerWire.ts";
import { repeated } from "../context/findings.ts";
import type { Steps } from "../context/steps.ts";
import { defineCases } from "../harness/defineCase.ts";

const aliases = (count: number) => repeated(count, (i) => `a${i}: ok`);
const rootAliases = (count: number) => repeated(count, (i) => `s${i}: status { ok }`);
const typenames = (count: number) => repeated(count, (i) => `t${i}: __typename`);
const inStatus = (selection: string) => `{ status { ${selection} } }`;
/** A document whose fragment is spread so many times. */
const spread = (count: number, selection: string) =>
  `${inStatus("...F ".repeat(count))} fragment F on ApiStatus { ${selection} }`;

/** Three root fields, two of them with every field below them. */
const WIDE = `connections(scope: $s) { ${DOCUMENT_PARTS.connections.fields} }
  content(scope: $s, connectionId: "x", window: $w) { ${DOCUMENT_PARTS.content.fields} } status`;
/** An independent count of the document above: a word outside of arguments is a field, three of them at the root. */
function costOf(document: string): number {
  const withoutArguments = document.replace(/\([^)]*\)/g, "").replace(/\w+\s*:/g, "");
  return (withoutArguments.match(/\w+/g) ?? []).length + 3 * 9;
}
const VARIABLES = "($s: SubjectScope!, $w: ContentWindow!)";
const DEEPEST = `query${VARIABLES} { content(scope: $s, connectionId: "x", window: $w) { ...P } }
  fragment P on ContentPage { items { metrics { ...M } } } fragment M on MetricObservation { name value }`;
const costing = (cost: number) => `query${VARIABLES} { ${WIDE} { ${"ok ".repeat(cost - costOf(WIDE))} } }`;

/** `passes` are documents that run, regardless of their fields' results; `names` is what each refusal says. */
async function limits(t: Steps, passes: readonly string[], refused: readonly string[], names = /./) {
  const window = { publishedAfter: "2026-01-01T00:00:00.000Z", publishedBefore: "2026-02-01T00:00:00.000Z" };
  const ask = (query: string) =>
    t.api.graphql(query, query.includes(VARIABLES) ? { s: t.scope(), w: { ...window, first: 1 } } : {});
  for (const query of passes) {
    const answer = await ask(query);
    t.equal(answer.status, 200, `${query.slice(0, 80)} is accepted (${answer.text.slice(0, 160)})`);
  }
  for (const query of refused) {
    const answer = await ask(query);
    t.refusedDocument(answer, "a document over the limit");
    t.matches(answer.body?.errors?.[0]?.message, names, "the message");
  }
}

export const DOCUMENT_LIMIT_CASES = defineCases({ readSafe: true }, (test) => {
  test("S8.aliases.boundary: 8 aliases are accepted and 9 are refused.", (t) =>
    limits(t, [inStatus(aliases(8))], [inStatus(aliases(9))]));
  test("S8.aliases.root: Aliases of root fields count like others.", (t) =>
    limits(t, [`{ ${rootAliases(8)} }`], [`{ ${rootAliases(9)} }`]));
  test("S8.aliases.typename: Aliases of __typename count too, a thousand of them included.", (t) =>
    limits(t, [inStatus(typenames(8))], [inStatus(typenames(9)), `{ ${typenames(1_000)} }`]));
  test("S8.aliases.fragments: Aliases in a fragment count where the fragment is spread.", (t) =>
    limits(t, [spread(2, aliases(4))], [spread(3, aliases(4)), inStatus(`... on ApiStatus { ${aliases(9)} }`)]));
  test("S8.depth.deepest-answer: The deepest response of the API is accepted, including fragments.", (t) =>
    limits(t, [DEEPEST], []));
  test("S8.depth.fragments: Fragments do not hide depth.", (t) =>
    limits(t, [], [spread(1, `${"x { ".repeat(7)} y ${"} ".repeat(7)}`)], /depth|deep/i));
  test("S8.cost.boundary: A document of cost 100 is accepted and one of 101 is refused: 10 for a root field, 1 for a nested one.", (t) =>
    limits(t, [costing(100)], [costing(101)]));
  test("S8.cost.repeated-fields: A repeated field costs each time.", (t) =>
    limits(t, [inStatus("ok ".repeat(90))], [inStatus("ok ".repeat(91))]));
  test("S8.cost.root-fields: A root field costs 10 even without an alias.", (t) =>
    limits(t, [`{ ${"status { ok } ".repeat(9)} }`], [`{ ${"status { ok } ".repeat(10)} }`]));
  test("S8.cost.fragments: A fragment costs each time it is spread.", (t) =>
    limits(t, [spread(3, "ok ".repeat(30))], [spread(4, "ok ".repeat(30))]));
  test("S8.cost.message: A refusal for cost names the cost.", (t) =>
    limits(t, [], [`{ ${"status { ok } ".repeat(20)} }`], /cost/i));
  test("S8.depth.boundary: A selection 9 fields deep is refused for its depth; one of 8 is not.", async (t) => {
    // No response of this API is 8 deep, so the shallower document is also refused: for its fields, not for its
    // depth.
    const deep = (levels: number) => inStatus(`${"x { ".repeat(levels - 2)} y ${"} ".repeat(levels - 2)}`);
    const [nine, eight] = [await t.api.graphql(deep(9)), await t.api.graphql(deep(8))];
    t.refusedDocument(nine, "9 deep");
    t.matches(nine.text, /depth|deep/i, "the refusal of 9 names the depth");
    t.holds(!/depth|too deep/i.test(eight.text), "the refusal of 8 does not", eight.text.slice(0, 300));
  });
});
