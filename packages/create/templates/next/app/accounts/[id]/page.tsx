import type { ContentItem } from "@social-connect/sdk";
import { revalidatePath } from "next/cache";
import Link from "next/link";
import { Reload } from "../../../lib/Reload";
import { refreshPosts, shownDays, signedInSubject } from "../../../lib/social";
import { accountName, isReading, metricText, missingText } from "../../../lib/texts";

export default async function Posts({ params }: PageProps<"/accounts/[id]">) {
  const { id } = await params;
  const user = await signedInSubject();
  const [account, posts] = await Promise.all([user.connection(id), user.content(id, shownDays()).page()]);
  // The service reads the posts of a new account in the background.
  const reads = isReading(account, posts);
  const missing = missingText(posts.pageInfo);
  return (
    <>
      <h1>Posts of {accountName(account)}</h1>
      {reads ? (
        <Reload text="Reading posts…" />
      ) : (
        <ul>
          {posts.items.length === 0 && <li>No posts in the last 7 days.</li>}
          {posts.items.map((post) => (
            <Post key={post.id} {...post} />
          ))}
        </ul>
      )}
      {!reads && missing !== null && <p>{missing}</p>}
      <form action={refresh.bind(null, id)}>
        <button type="submit">Refresh</button>
      </form>
      <p>
        <Link href="/">Back</Link>
      </p>
    </>
  );
}

function Post({ title, description, providerContentId, canonicalUrl, metrics }: ContentItem) {
  const text = title ?? description ?? providerContentId;
  return (
    <li>
      {canonicalUrl === null ? (
        text
      ) : (
        <a href={canonicalUrl} rel="noreferrer">
          {text}
        </a>
      )}
      : {metrics.map(metricText).join(", ") || "no metrics"}
    </li>
  );
}

async function refresh(id: string) {
  "use server";
  await refreshPosts(await signedInSubject(), id);
  revalidatePath(`/accounts/${id}`);
}
