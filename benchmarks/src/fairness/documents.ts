/** Documents that a rule of validation, the parser or the reading of variables takes long to refuse, near the request limit. */

export interface ExpensiveRequest {
  readonly query: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

const MAX_TEXT = 60_000;
const repeat = (count: number, write: (index: number) => string) =>
  Array.from({ length: count }, (_, i) => write(i)).join(" ");
const nested = (depth: number, open: string, inner: string, close: string) =>
  open.repeat(depth) + inner + close.repeat(depth);
const inStatus = (selection: string) => `{ status { ${selection} } }`;
const connect = (input: unknown): ExpensiveRequest => ({
  query: "mutation($input: ConnectInput!) { createConnectSession(input: $input) { id } }",
  variables: { input },
});
const withArgument = (value: string) => `{ connections(scope: ${value}) { items { id } } }`;
const fan = (levels: number, type: string, last: string) =>
  `${repeat(levels, (i) => `fragment A${i} on ${type} { ...A${i + 1} ...A${i + 1} }`)} fragment A${levels} on ${type} { ${last} }`;
const chain = (levels: number) =>
  `${repeat(levels, (i) => `fragment C${i} on ApiStatus { ...C${i + 1} }`)} fragment C${levels} on ApiStatus { ok }`;

/** By what makes them expensive; each rule of validation has at least one. */
export const EXPENSIVE: Readonly<Record<string, ExpensiveRequest>> = Object.fromEntries(
  Object.entries({
    // Parsing.
    "many tokens": inStatus("ok ".repeat(1_400)),
    "too many tokens": inStatus("ok ".repeat(19_000)),
    brackets: "[".repeat(MAX_TEXT),
    "deep selections": nested(700, "{a", "{b}", "}"),
    "long name": `{ ${"n".repeat(MAX_TEXT)} }`,
    "long number": withArgument("9".repeat(MAX_TEXT)),
    "many numbers": withArgument(`[${"1 ".repeat(1_400)}]`),
    "long string": withArgument(`"${"a".repeat(MAX_TEXT)}"`),
    "unterminated string": withArgument(`"${"a".repeat(MAX_TEXT)}`),
    "unicode escapes": withArgument(`"${"\\u00e4".repeat(9_000)}"`),
    "braced unicode escapes": withArgument(`"${"\\u{1F600}".repeat(5_000)}"`),
    "surrogate pairs": withArgument(`"${"\\ud83d\\ude00".repeat(4_000)}"`),
    "block string": withArgument(`"""${"  a\n".repeat(9_000)}"""`),
    "block string of spaces": withArgument(`"""${" ".repeat(40_000)}\n${"\n ".repeat(4_000)}"""`),
    "escaped block string": withArgument(`"""${'\\"""'.repeat(6_000)}"""`),
    comments: `${"#\n".repeat(20_000)}{ status { ok } }`,
    "one comment": `#${"a".repeat(MAX_TEXT)}\n{ status { ok } }`,
    commas: `${",".repeat(MAX_TEXT)}{ status { ok } }`,
    "byte order marks": `${"\ufeff".repeat(15_000)}{ status { ok } }`,
    "deep list value": withArgument(nested(700, "[", "1", "]")),
    "deep object value": withArgument(nested(370, "{a:", "1", "}")),
    "deep list type": `query($v: ${nested(700, "[", "Int", "]")}) { __typename }`,
    // Rules about definitions.
    "many operations": repeat(280, (i) => `query Q${i} { a }`),
    "anonymous operations": repeat(480, () => "{ a }"),
    "equal operation names": repeat(280, () => "query Q { a }"),
    "type definitions": repeat(480, (i) => `scalar S${i}`),
    "schema extensions": repeat(200, (i) => `extend schema @d${i}`),
    subscription: `subscription { ${"status { ok } ".repeat(280)} }`,
    // Rules about fragments.
    "unknown fragments": inStatus(repeat(680, (i) => `...f${i}`)),
    "unused fragments": `{ status { ok } } ${repeat(200, (i) => `fragment F${i} on ApiStatus { ok }`)}`,
    "equal fragment names": `{ status { ...F } } ${repeat(200, () => "fragment F on ApiStatus { ok }")}`,
    "fragment cycle": `{ status { ...C0 } } ${chain(150).replace("{ ok }", "{ ...C0 }")}`,
    "many fragment cycles": `{ status { ok } } ${repeat(150, (i) => `fragment F${i} on ApiStatus { ...F${(i + 1) % 150} ...F${(i + 7) % 150} }`)}`,
    "chain of fragments": `{ status { ...C0 } } ${chain(170)}`,
    "used chains of fragments": `{ status { ${repeat(80, (i) => `...C${i * 2}`)} } } ${chain(150)}`,
    "fragments that spread twice": `{ status { ...A0 } } ${fan(130, "ApiStatus", "ok")}`,
    "unused fragments that spread twice": `{ status { ok } } ${fan(26, "__Schema", "description").replace("fragment A0", "fragment F on Query { __schema { ...A0 } } fragment A0")}`,
    "unused fragments of spreads": `{ status { ok } } ${repeat(7, (i) => `fragment F${i} on ApiStatus { ${repeat(95, (j) => `...x${j}`)} }`)}`,
    "unknown types of fragments": inStatus(repeat(280, (i) => `... on T${i} { a }`)),
    "scalar types of fragments": inStatus("... on Boolean { a } ".repeat(280)),
    "similar types of fragments": "{ ... on ConnectSessionResul { id } ... on ConnectionPag { id } }",
    "impossible fragments": inStatus("... on Connection { id } ".repeat(18)),
    // Rules about fields.
    "overlapping fields": inStatus(repeat(90, (i) => (i % 2 === 0 ? "ok" : "message"))),
    "overlapping aliases": inStatus(repeat(8, () => "a: ok").concat(" a: message")),
    "overlapping arguments": `{ ${repeat(9, (i) => `connections(first: ${i}) { items { id } }`)} }`,
    "equal fields": inStatus("ok ".repeat(90)),
    "overlapping inline fragments": inStatus("... { ok } ".repeat(90)),
    "overlapping fragments": `{ status { ${repeat(60, (i) => `...F${i}`)} } } ${repeat(60, (i) => `fragment F${i} on ApiStatus { ok }`)}`,
    "unknown fields": `{ ${repeat(700, (i) => `nothing${i}`)} }`,
    "similar fields": `{ ${repeat(9, (i) => `connectSessionResul${i}`)} }`,
    "long similar field": `{ ${"connectSessionResult".repeat(2_000)} }`,
    "fields without selection": `{ ${"connections ".repeat(9)} }`,
    "selections of scalars": inStatus("ok { a } ".repeat(40)),
    introspection: `{ __schema { types { name fields { name type { name ofType { name } } } } } }`,
    "nested introspection": "{ __schema { types { fields { type { fields { type { fields { name } } } } } } } }",
    // Rules about arguments, values and directives.
    "unknown arguments": `{ connections(${repeat(480, (i) => `x${i}: 1`)}) { items { id } } }`,
    "equal arguments": `{ connections(${"scope: 1 ".repeat(480)}) { items { id } } }`,
    "missing arguments": "{ connections { items { id } } content { items { id } } connection { id } }",
    "unknown directives": inStatus(`ok ${repeat(690, (i) => `@d${i}`)}`),
    "equal directives": inStatus(`ok ${"@include(if: true) ".repeat(230)}`),
    "directives of an operation": `query ${"@skip(if: true) ".repeat(230)} { status { ok } }`,
    "unknown object fields": withArgument(`{ ${repeat(480, (i) => `tenantKe${i}: 1`)} }`),
    "equal object fields": withArgument(`{ ${"tenantKey: 1 ".repeat(480)} }`),
    "wrong list of enums": `mutation { createConnectSession(input: { capabilities: [${repeat(1_400, (i) => `CONTENT_LIS${i}`)}] }) { id } }`,
    "objects in lists": withArgument(`[${"{tenantKey:1} ".repeat(280)}]`),
    // Rules about variables.
    "unused variables": `query(${repeat(370, (i) => `$v${i}: Int`)}) { __typename }`,
    "equal variables": `query(${"$v: Int ".repeat(370)}) { __typename }`,
    "undefined variables": `{ connections(scope: { ${repeat(280, (i) => `f${i}: $v${i}`)} }) { items { id } } }`,
    "variables of unknown types": `query(${repeat(370, (i) => `$v${i}: T${i}`)}) { __typename }`,
    "variables of similar types": "query($v: ConnectSessionResul, $w: ContentPag) { status { ok } }",
    "variables of output types": `query(${repeat(370, (i) => `$v${i}: Connection`)}) { __typename }`,
    "variables in wrong positions": `query(${repeat(140, (i) => `$v${i}: Int`)}) { connections(scope: [${repeat(140, (i) => `$v${i}`)}]) { items { id } } }`,
    "default values": `query(${repeat(230, (i) => `$v${i}: Int = "x"`)}) { __typename }`,
    "constant lists": `query($v: [Int] = [${"[1] ".repeat(460)}]) { __typename }`,
    "list of variable values": connect({ capabilities: Array.from({ length: 6_000 }, () => "CONTENT") }),
    "misspelt variable values": connect({ capabilities: Array.from({ length: 3_000 }, (_, i) => `CONTENT_LIS${i}`) }),
    "deep variable values": connect(JSON.parse(nested(3_000, "[", "1", "]"))),
    "unknown input fields": connect(Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`tenantKe${i}`, i]))),
    "variable objects": connect(Array.from({ length: 4_000 }, (_, i) => ({ [`k${i}`]: {} }))),
    "long variable value": connect({ tenantKey: "a".repeat(MAX_TEXT) }),
    "unused variable values": {
      query: "{ __typename }",
      variables: Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`v${i}`, i])),
    },
  }).map(([name, request]) => [name, typeof request === "string" ? { query: request } : request]),
);
