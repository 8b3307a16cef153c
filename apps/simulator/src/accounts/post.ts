import type { Popularity, PostForm, SpecialCases } from "@social-connect/provider-fixtures";

/** A post, independent of the provider's wire format. */
export interface Post extends Omit<SpecialCases, "withoutText"> {
  readonly id: string;
  /** Identifies the post in URLs of provider C. */
  readonly shortcode: string;
  readonly accountName: string;
  readonly publishedAt: Date;
  readonly form: PostForm;
  /** null: the post has no title. */
  readonly title: string | null;
  readonly text: string | null;
  readonly durationSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly sharesMissing: boolean;
  /** The response omits the counts, although they are not hidden. */
  readonly metricsMissing: boolean;
  /** The final counts. */
  readonly popularity: Popularity;
  /** Number of pictures in a carousel. */
  readonly childCount: number;
}
