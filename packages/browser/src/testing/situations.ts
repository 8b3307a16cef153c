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
const sandbox = (...flags: readonly string[]) => ["allow-scripts", ...flags].join(" ");
const SAME_ORIGIN = coop("same-origin");

export const SITUATIONS: readonly Situation[] = [
  { name: "no header", outcomes: ["returned"] },
  {
    name: "`same-origin-allow-popups` on the page with the button",
    headers: { page: coop("same-origin-allow-popups") },
    outcomes: ["returned"],
  },
  {
    name: "`noopener-allow-popups` on the page with the button",
    headers: { page: coop("noopener-allow-popups") },
    outcomes: ["returned"],
  },
  {
    name: "`restrict-properties` on every page of the application",
    headers: everywhere(coop("restrict-properties")),
    outcomes: ["returned"],
  },
  {
    name: "`same-origin` on the page with the button",
    headers: { page: SAME_ORIGIN },
    outcomes: ["unknown", "returned"],
  },
  { name: "`same-origin` on the launch page", headers: { launch: SAME_ORIGIN }, outcomes: ["unknown", "returned"] },
  { name: "`same-origin` on the return page", headers: { return: SAME_ORIGIN }, outcomes: ["returned"] },
  ...["same-origin", "same-origin-allow-popups", "noopener-allow-popups"].map(
    (value): Situation => ({
      name: `\`${value}\` on every page of the application`,
      headers: everywhere(coop(value)),
      outcomes: ["unknown", "returned"],
    }),
  ),
  ...["require-corp", "credentialless"].map(
    (value): Situation => ({
      name: `\`same-origin\` and \`Cross-Origin-Embedder-Policy: ${value}\` on every page`,
      headers: everywhere(coop("same-origin", value)),
      outcomes: ["unknown", "returned"],
    }),
  ),
  ...["same-origin", "same-origin-allow-popups"].map(
    (value): Situation => ({
      name: `\`${value}\` on a page of the provider`,
      headers: { provider: coop(value) },
      outcomes: ["unknown", "returned"],
    }),
  ),
  { name: "a frame of the same site", frame: { site: "same" }, outcomes: ["returned"] },
  { name: "a frame of another site", frame: { site: "another" }, outcomes: ["returned"] },
  {
    name: "a frame of another site, and `same-origin` on a page of the provider",
    frame: { site: "another" },
    headers: { provider: SAME_ORIGIN },
    outcomes: ["unknown"],
    found: ["unknown", "returned"],
  },
  {
    name: "a sandbox with `allow-scripts allow-same-origin allow-forms allow-popups`",
    frame: { site: "another", sandbox: sandbox("allow-same-origin", "allow-forms", "allow-popups") },
    outcomes: ["returned"],
  },
  {
    name: "the same with `allow-popups-to-escape-sandbox`",
    frame: {
      site: "another",
      sandbox: sandbox("allow-same-origin", "allow-forms", "allow-popups", "allow-popups-to-escape-sandbox"),
    },
    outcomes: ["returned"],
  },
  {
    name: "a sandbox without `allow-popups`",
    frame: { site: "another", sandbox: sandbox("allow-same-origin", "allow-forms") },
    outcomes: ["blocked"],
  },
  {
    name: "a sandbox without `allow-forms`",
    frame: { site: "another", sandbox: sandbox("allow-same-origin", "allow-popups") },
    obstacle: "the window stays empty",
    outcomes: ["unknown"],
  },
  {
    name: "a sandbox without `allow-same-origin`",
    frame: { site: "another", sandbox: sandbox("allow-forms", "allow-popups") },
    obstacle: "the service rejects the launch",
    outcomes: ["unknown"],
  },
  { name: "blocked storage", browser: "blocks storage", outcomes: ["redirecting"] },
  {
    name: "blocked storage in a frame of another site",
    browser: "blocks storage",
    frame: { site: "another" },
    outcomes: ["returned"],
  },
  { name: "blocked popups", browser: "blocks popups", outcomes: ["redirecting"] },
  { name: "blocked popups in a frame", browser: "blocks popups", frame: { site: "same" }, outcomes: ["blocked"] },
  { name: "windows opened with `noopener`", browser: "opens without an opener", outcomes: ["redirecting"] },
];

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
