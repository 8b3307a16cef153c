import type { ContentItem, MetricObservation } from "@social-connect/sdk";

const DATE = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const DATE_TIME = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const COMPACT = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });
const FULL = new Intl.NumberFormat("en-GB");

export function day(moment: string | Date | null): string {
  return moment === null ? "no date" : DATE.format(new Date(moment));
}

export function moment(iso: string | null): string {
  return iso === null ? "never" : `${DATE_TIME.format(new Date(iso))} UTC`;
}

const METRIC_LABELS: Readonly<Record<string, string>> = {
  VIEWS: "Views",
  LIKES: "Likes",
  COMMENTS: "Comments",
  SHARES: "Shares",
};

/** What is shown of a metric: a missing one as missing, never as 0. */
export function shownMetric(metric: MetricObservation) {
  const label = METRIC_LABELS[metric.name] ?? metric.name;
  if (metric.value === null || metric.availability !== "AVAILABLE") {
    const missing = missingWord(metric);
    return { label, short: missing, full: missing, mood: "missing" };
  }
  // A count is decimal text without an upper limit, which BigInt reads without rounding.
  const count = BigInt(metric.value);
  return { label, short: COMPACT.format(count), full: FULL.format(count), mood: "known" };
}

function missingWord({ availability, reason }: MetricObservation): string {
  if (availability === "UNSUPPORTED") return "not offered";
  if (reason === "METRIC_HIDDEN") return "hidden";
  if (reason === "METRIC_NOT_GIVEN") return "not given";
  return availability === "NOT_GRANTED" ? "not granted" : "not available";
}

/** A post's title, or the first line of its caption: something to call it by. */
export function headline({ title, description }: ContentItem): string {
  const text = title?.trim() || description?.trim().split("\n")[0] || "Without a caption";
  const characters = [...text];
  return characters.length > 140 ? `${characters.slice(0, 139).join("").trimEnd()}…` : text;
}

const UNAVAILABLE: Readonly<Record<string, string>> = {
  DELETED_AT_PROVIDER: "Deleted at the provider",
  PRIVATE_AT_PROVIDER: "Private at the provider",
  EXPIRED: "Last seen over 30 days ago",
};

export function availabilityNote(post: ContentItem): string | undefined {
  return post.availability === "AVAILABLE" ? undefined : (UNAVAILABLE[post.reason ?? ""] ?? "Not available");
}

/** Only a web address becomes a link or an image: what a provider gives is not trusted to be one. */
export function webAddress(text: string | null | undefined): string | undefined {
  const url = URL.parse(text ?? "");
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : undefined;
}
