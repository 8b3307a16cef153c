/** A post as the account holds it, before a wire profile shows its part of it. */
export interface Post {
  readonly id: string;
  /** Provider C's name of the post in addresses. */
  readonly shortcode: string;
  readonly accountName: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  /** null where the post has no text at all. */
  readonly title: string | null;
  readonly text: string | null;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly visibility: Visibility;
  readonly likesHidden: boolean;
  readonly commentsOff: boolean;
  readonly sharesMissing: boolean;
  /** The provider leaves the numbers out this time; they are not hidden. */
  readonly metricsMissing: boolean;
  /** Provider C gives no numbers at all for some posts. */
  readonly insights: "given" | "too-few-viewers" | "before-professional";
  /** What the counts grow towards. */
  readonly popularity: Counts;
  /** Pictures of a carousel. */
  readonly childCount: number;
}

export type PostForm = "video" | "short" | "live" | "image" | "carousel" | "reel";
export type Visibility = "public" | "unlisted" | "private" | "deleted";

export interface Counts {
  readonly views: bigint;
  readonly likes: bigint;
  readonly comments: bigint;
  readonly shares: bigint;
  readonly saved: bigint;
}
