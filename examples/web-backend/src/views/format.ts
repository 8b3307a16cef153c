import type { ContentItem, MetricObservation } from "@social-connect/sdk";

const DATE = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const DATE_TIME = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZone: "UTC",
});
const COMPACT = new Intl.NumberFormat("en-GB", { notation: "compact", maximumFractionDigits: 1 });
const FULL = new Intl.NumberFormat("en-GB");

export function day(iso: string | null): string {
  return iso === null ? "no date" : DATE.format(new Date(iso));
}

export function moment(iso: string | null): string {
  return iso === null ? "never" : `${DATE_TIME.format(new Date(iso))} UTC`;
}

/** A count of the service is decimal text without an upper limit, which BigInt reads without rounding. */
export function wholeNumber(text: string): string {
  return FULL.format(BigInt(text));
}

/** Formats a metric. A missing one is shown as missing, never as 0. */
export interface ShownMetric {
  readonly label: string;
  readonly short: string;
  readonly full: string;
  readonly known: boolean;
}

const METRIC_LABELS: Readonly<Record<string, string>> = {
  VIEWS: "Views",
  LIKES: "Likes",
  COMMENTS: "Comments",
  SHARES: "Shares",
};

export function shownMetric(metric: MetricObservation): ShownMetric {
  const label = METRIC_LABELS[metric.name] ?? metric.name;
  if (metric.value !== null && metric.availability === "AVAILABLE") {
    return { label, short: COMPACT.format(BigInt(metric.value)), full: wholeNumber(metric.value), known: true };
  }
  const missing = missingWord(metric);
  return { label, short: missing, full: missing, known: false };
}

function missingWord({ availability, reason }: MetricObservation): string {
  if (availability === "UNSUPPORTED") return "not offered";
  if (reason === "METRIC_HIDDEN") return "hidden";
  if (reason === "METRIC_NOT_GIVEN") return "not given";
  return availability === "NOT_GRANTED" ? "not granted" : "not available";
}

const KIND_LABELS: Readonly<Record<string, string>> = { VIDEO: "Video", IMAGE: "Photo", CAROUSEL: "Album" };

export function kindLabel(kind: string): string {
  return KIND_LABELS[kind] ?? "Post";
}

/** A post's title, or the first line of its caption, or its kind: something to call it by. */
export function headline(post: ContentItem): string {
  const text =
    post.title?.trim() || post.description?.trim().split("\n")[0] || `${kindLabel(post.kind)} without a caption`;
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

export function initials(name: string): string {
  const words = name.split(/\s+/).filter(Boolean);
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? "")
    .join("");
}

/** Only a web address becomes a link or an image: what a provider gives is not trusted to be one. */
export function webAddress(text: string | null): string | undefined {
  return text !== null && URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) ? text : undefined;
}
