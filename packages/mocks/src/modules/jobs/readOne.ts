import {
  type ContentObservation,
  type LookupTarget,
  profileOf,
  type ReadOutcome,
  servedCapabilities,
} from "@social-connect/domain";
import { type Account, readAccount } from "../../providers/accounts.ts";
import { type MetricsMode, observe } from "../../providers/observations.ts";
import { PROVIDERS } from "../../providers/providers.ts";
import type { JobRun, Observed } from "../../state/jobRun.ts";
import { failure } from "../../state/providerCall.ts";
import type { ProviderGrant } from "../../state/providerState.ts";
import type { Connection, Grant, Job } from "../../state/state.ts";
import { accountOf, ownerOfPost, recordPostRead, visibilityFor } from "../../upstream/grants.ts";
import type { World } from "../../world/world.ts";
import { withOffered } from "../connections/access.ts";
import { providerGrantOf } from "../grants/grants.ts";
import type { ReadColumns } from "./jobAttempt.ts";
import { isObserved } from "./storeContent.ts";

export interface ReadContext {
  readonly world: World;
  readonly job: Job;
  readonly run: JobRun;
  readonly connection: Connection;
  readonly grant: Grant;
}

export type NextCall = Omit<JobRun, "failure">;

export type ReadResult = ReadOutcome &
  ReadColumns & {
    readonly observed?: readonly Observed[];
    /** Stored posts that the provider no longer has, by a read by id. */
    readonly deleted?: readonly string[];
    /** Stored posts that the provider refused to show: their numbers are no longer known. */
    readonly refused?: readonly string[];
  };

/** Reads the profile. A credential that now belongs to another account counts as revoked. */
export function readProfile({ world, connection, grant }: ReadContext): ReadResult {
  const answer = readAccount(accountOf(providerGrantOf(world, grant)));
  if (answer.providerAccountId !== connection.providerAccountId) {
    return { outcome: "interrupted", fault: failure("grant_gone") };
  }
  const { providerUserKey } = answer;
  const profile = profileOf(answer, world.now());
  return {
    outcome: "succeeded",
    connection: { profile, ...(providerUserKey === null ? {} : { providerUserKey }) },
  };
}

export function readMetrics({ world, job, connection, grant }: ReadContext): ReadResult {
  const id = job.targetContentId ?? "";
  const item = readPost(world, connection, grant, id);
  if (item === "refused") return { outcome: "succeeded", refused: [id] };
  if (item === "hidden") return HIDDEN;
  if (item === null) return notFound(id);
  return { outcome: "succeeded", observed: [{ item, observedAt: world.now() }] };
}

/** The provider does not show a post that it lists, which proves nothing: the stored post is unchanged. */
const HIDDEN: ReadResult = { outcome: "interrupted", fault: failure("unavailable") };

/** A post that the provider no longer has; a stored post is marked as deleted. */
function notFound(id: string | null): ReadResult {
  return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND", deleted: id === null ? [] : [id] };
}

/** Finds and reads the post of a lookup's URL. A deleted post fails. Source: service description, part 4, requestContentLookup. */
export function lookUp({ world, job, connection, grant }: ReadContext): ReadResult {
  const target = job.lookup;
  if (target === null) throw new Error("a lookup has no target");
  const providerGrant = providerGrantOf(world, grant);
  const id = findPostId(world, providerGrant, target);
  const isStored = id !== null && isObserved(world, connection.id, id);
  const item = id === null ? null : readPost(world, connection, grant, id, target.kind === "shortcode" && !isStored);
  if (item === "hidden" && isStored) return HIDDEN;
  if (item === "refused" || item === "hidden") return { outcome: "failed", errorCode: "CONTENT_NOT_FOUND" };
  if (item !== null) {
    return {
      outcome: "succeeded",
      observed: [{ item, observedAt: world.now() }],
      job: {
        resultProviderContentId: item.providerContentId,
        incompleteReason: item.availability === "AVAILABLE" ? null : item.reason,
      },
    };
  }
  const isOfOtherAccount = target.kind === "id" && isForeign(world, accountOf(providerGrant), target.value);
  return isOfOtherAccount ? { outcome: "failed", errorCode: "CONTENT_NOT_OWNED" } : notFound(id);
}

/**
 * The account's own post as the provider returns it; null for a deleted post and for a post of another account, "refused" for
 * a post that the provider refuses, and "hidden" for a post that it lists and does not show by its id. `fromList`: found by a
 * search of the list.
 */
export function readPost(
  world: World,
  connection: Connection,
  grant: Grant,
  id: string,
  fromList = false,
): ContentObservation | "refused" | "hidden" | null {
  const providerGrant = providerGrantOf(world, grant);
  const account = accountOf(providerGrant);
  const posts = world.posts.of(account, world.state.providers);
  const post = posts.find((one) => one.id === id);
  if (post === undefined) return null;
  const visibility = visibilityFor(providerGrant, posts)(post);
  const isShown = visibility === "public" || (visibility !== "deleted" && PROVIDERS[account.provider].showsHiddenPosts);
  if (!isShown) return null;
  if (account.script.hidesPostsById && !fromList) return "hidden";
  // Where a post has insights, only these are refused.
  const { insightFields } = PROVIDERS[account.provider].metrics;
  if (post.insights === "unreadable" && insightFields === undefined) return "refused";
  recordPostRead(providerGrant, posts, id);
  return observe(account, post, visibility, metricsMode(world, connection, providerGrant), world.now());
}

export function metricsMode(world: World, connection: Connection, { scopes }: ProviderGrant): MetricsMode {
  const { provider, ...served } = withOffered(world, connection);
  if (!servedCapabilities(served).includes("CONTENT_METRICS")) return "none";
  const needed = PROVIDERS[provider].scopes.metrics;
  return needed !== null && !scopes.includes(needed) ? "not-granted" : "read";
}

function findPostId(world: World, grant: ProviderGrant, target: LookupTarget): string | null {
  if (target.kind === "id") return target.value;
  const posts = world.posts.of(accountOf(grant), world.state.providers);
  return posts.find((post) => post.shortcode === target.value)?.id ?? null;
}

function isForeign(world: World, account: Account, postId: string): boolean {
  if (!PROVIDERS[account.provider].identifiesForeignPosts) return false;
  const owner = ownerOfPost(world, account.provider, postId);
  return owner !== null && owner.name !== account.name;
}
