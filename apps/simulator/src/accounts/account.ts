import type { Popularity, PostForm, SpecialCases } from "@social-connect/provider-fixtures";
import type { ProviderKey } from "../shared/providerKeys.ts";
import type { Script } from "./scripts.ts";

export interface Account {
  readonly provider: ProviderKey;
  /** Identifies the account in tests and in the consent form. */
  readonly name: string;
  readonly summary: string;
  /** No faults; all other accounts follow a script. */
  readonly ordinary: boolean;
  readonly script: Script;
  /** Channel id, open id or user id. */
  readonly accountId: string;
  /** Equal for all accounts of a user at this provider. */
  readonly personKey: string;
  readonly displayName: string;
  readonly handle: string;
  readonly description: string;
  readonly followers: number;
  readonly following: number;
  readonly createdAt: Date;
  /** Number and spacing of the posts before the first start. */
  readonly postCount: number;
  readonly postGapHours: number;
  /** Whether the consent page lists it; programs can select any account by name. */
  readonly listed: boolean;
  /** Whether the development environment should register it as a tester. */
  readonly tester: boolean;
}

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
  readonly popularity: Popularity;
  readonly childCount: number;
}
