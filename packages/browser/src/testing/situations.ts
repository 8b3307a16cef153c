/** Where a page that uses the package can be, and what it gets there: tested in a browser, and a table of the README. */

export interface Situation {
  /** As the README writes it. */
  readonly name: string;
  /** Headers of the application's page with the button, of its launch page, of its return page, and of the provider's page. */
  readonly headers?: Partial<Record<"page" | "launch" | "return" | "provider", Readonly<Record<string, string>>>>;
  /** Where the page with the button is in a frame. */
  readonly frame?: { readonly site: "same" | "another"; readonly sandbox?: string };
  /** What the browser does differently. */
  readonly browser?: "blocks popups" | "blocks storage" | "opens without an opener";
  /** The outcomes when the person goes to the end. */
  readonly outcomes: readonly ("returned" | "unknown" | "redirecting" | "blocked")[];
  /** The same with `findAttempt`, if that differs. */
  readonly found?: Situation["outcomes"];
  /** Why the window cannot return. */
  readonly obstacle?: "the service rejects the launch" | "the window stays empty";
}

const coop = (value: string, coep?: string) => ({
  "cross-origin-opener-policy": value,
  ...(coep !== undefined && { "cross-origin-embedder-policy": coep }),
});
const everywhere = (headers: Record<string, string>) => ({ page: headers, launch: headers, return: headers });
const another = { site: "another" } as const;
/** In a frame of another site. */
const sandbox = (...flags: readonly string[]) => ({
  frame: { ...another, sandbox: ["allow-scripts", ...flags].join(" ") },
});
const SAME_ORIGIN = coop("same-origin");

const returned = ["returned"] as const;
const late = ["unknown", "returned"] as const;
const unknown = ["unknown"] as const;

type Row = readonly [name: string, outcomes: Situation["outcomes"], what?: Omit<Situation, "name" | "outcomes">];

const ROWS: readonly Row[] = [
  ["no header", returned],
  ...["same-origin-allow-popups", "noopener-allow-popups"].map(
    (value): Row => [`\`${value}\` on the page with the button`, returned, { headers: { page: coop(value) } }],
  ),
  [
    "`restrict-properties` on every page of the application",
    returned,
    { headers: everywhere(coop("restrict-properties")) },
  ],
  ["`same-origin` on the page with the button", late, { headers: { page: SAME_ORIGIN } }],
  ["`same-origin` on the launch page", late, { headers: { launch: SAME_ORIGIN } }],
  ["`same-origin` on the return page", returned, { headers: { return: SAME_ORIGIN } }],
  ...["same-origin", "same-origin-allow-popups", "noopener-allow-popups"].map(
    (value): Row => [`\`${value}\` on every page of the application`, late, { headers: everywhere(coop(value)) }],
  ),
  ...["require-corp", "credentialless"].map(
    (value): Row => [
      `\`same-origin\` and \`Cross-Origin-Embedder-Policy: ${value}\` on every page`,
      late,
      { headers: everywhere(coop("same-origin", value)) },
    ],
  ),
  ...["same-origin", "same-origin-allow-popups"].map(
    (value): Row => [`\`${value}\` on a page of the provider`, late, { headers: { provider: coop(value) } }],
  ),
  ["a frame of the same site", returned, { frame: { site: "same" } }],
  ["a frame of another site", returned, { frame: another }],
  [
    "a frame of another site, and `same-origin` on a page of the provider",
    unknown,
    { frame: another, headers: { provider: SAME_ORIGIN }, found: late },
  ],
  [
    "a sandbox with `allow-scripts allow-same-origin allow-forms allow-popups`",
    returned,
    sandbox("allow-same-origin", "allow-forms", "allow-popups"),
  ],
  [
    "the same with `allow-popups-to-escape-sandbox`",
    returned,
    sandbox("allow-same-origin", "allow-forms", "allow-popups", "allow-popups-to-escape-sandbox"),
  ],
  ["a sandbox without `allow-popups`", ["blocked"], sandbox("allow-same-origin", "allow-forms")],
  [
    "a sandbox without `allow-forms`",
    unknown,
    { ...sandbox("allow-same-origin", "allow-popups"), obstacle: "the window stays empty" },
  ],
  [
    "a sandbox without `allow-same-origin`",
    unknown,
    { ...sandbox("allow-forms", "allow-popups"), obstacle: "the service rejects the launch" },
  ],
  ["blocked storage", ["redirecting"], { browser: "blocks storage" }],
  ["blocked storage in a frame of another site", returned, { browser: "blocks storage", frame: another }],
  ["blocked popups", ["redirecting"], { browser: "blocks popups" }],
  ["blocked popups in a frame", ["blocked"], { browser: "blocks popups", frame: { site: "same" } }],
  ["windows opened with `noopener`", ["redirecting"], { browser: "opens without an opener" }],
];

export const SITUATIONS: readonly Situation[] = ROWS.map(([name, outcomes, what]) => ({ name, outcomes, ...what }));

export function situationTable(): string {
  const list = (outcomes: Situation["outcomes"]) => outcomes.map((outcome) => `\`${outcome}\``).join(", then ");
  const rows = SITUATIONS.map(({ name, outcomes, found = outcomes, obstacle }) => {
    const reason = obstacle === undefined ? "" : ` (${obstacle})`;
    return `| ${name} | ${list(outcomes)}${reason} | ${list(found)} |`;
  });
  return [
    "| `Cross-Origin-Opener-Policy`, or place of the page | Outcome | With `findAttempt` |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}
