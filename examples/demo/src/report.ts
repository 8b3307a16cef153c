import type { ContentItem, Profile, SyncJob } from "@social-connect/sdk";

/** What happened, for a person or for a program. */
export interface Report {
  /** Starts a group of lines: the start, or the steps at one provider. */
  begin(part: string): void;
  step(provider: string | null, name: string, facts: Readonly<Record<string, unknown>>): void;
  progress(provider: string, what: string): void;
  profile(provider: string, profile: Profile): void;
  posts(provider: string, posts: readonly ContentItem[]): void;
  receipt(provider: string, name: string, job: SyncJob): void;
}

const METRICS = ["VIEWS", "LIKES", "COMMENTS", "SHARES"] as const;
/** Rows of the table that a person is shown; a program gets all posts. */
const MOST_ROWS = 25;

/** One JSON object a line. */
export function jsonReport(): Report {
  const write = (step: string, facts: object) => console.log(JSON.stringify({ step, ...facts }));
  return {
    step: (provider, name, facts) => write(name, provider === null ? facts : { provider, ...facts }),
    begin: (part) => write("begin", { part }),
    progress: () => undefined,
    profile: (provider, profile) => write("profile", { provider, profile }),
    posts: (provider, posts) => write("posts", { provider, count: posts.length, posts }),
    receipt: (provider, name, job) => write(`${name}-receipt`, { provider, receipt: job }),
  };
}

export function textReport(): Report {
  return {
    begin: (part) => console.log(part),
    step: (provider, name, facts) => {
      const details = Object.entries(facts).map(([key, value]) => `${key} ${value}`);
      console.log(`${provider === null ? "" : "  "}${name.padEnd(provider === null ? 0 : 11)} ${details.join(", ")}`);
    },
    progress: (_, what) => console.log(`    … ${what}`),
    profile: (_, { displayName, handle, profileUrl, providerAccountId }) =>
      console.log(
        `  profile     ${[displayName, handle, profileUrl, `account ${providerAccountId}`].filter(Boolean).join(" · ")}`,
      ),
    posts: (_, posts) => {
      console.log(`  posts       ${posts.length} stored\n${table(posts.slice(0, MOST_ROWS))}`);
      if (posts.length > MOST_ROWS) console.log(`    … and ${posts.length - MOST_ROWS} more`);
    },
    receipt: (_, name, { status, errorCode, creatorAction }) =>
      console.log(`  ${name.padEnd(11)} ${[status, errorCode, creatorAction].filter(Boolean).join(" · ")}`),
  };
}

function table(posts: readonly ContentItem[]): string {
  const head = ["published", "kind", ...METRICS.map((name) => name.toLowerCase()), "post"];
  const rows = posts.map((post) => [
    post.publishedAt?.slice(0, 10) ?? "?",
    post.kind.toLowerCase(),
    ...METRICS.map((name) => metric(post, name)),
    shorten(post.title ?? post.description ?? post.reason ?? post.providerContentId),
  ]);
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const isNumber = (column: number) => column >= 2 && column < 2 + METRICS.length;
  const line = (row: readonly string[]) =>
    row.map((cell, column) =>
      isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
    );
  return [head, ...rows].map((row) => `    ${line(row).join("  ").trimEnd()}`).join("\n");
}

const WITHOUT_VALUE: Readonly<Record<string, string>> = { UNSUPPORTED: "none", NOT_GRANTED: "denied" };

/** A number that the provider does not give is not zero, and is shown as what it is. */
function metric(post: ContentItem, name: string): string {
  const found = post.metrics.find((entry) => entry.name === name);
  return found?.value ?? WITHOUT_VALUE[found?.availability ?? ""] ?? "–";
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > 48 ? `${line.slice(0, 47)}…` : line;
}
