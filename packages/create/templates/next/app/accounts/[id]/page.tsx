import Link from "next/link";
import { Reload } from "../../../lib/Reload";
import { lastDays, signedInSubject } from "../../../lib/social";

// #region posts
export default async function Posts({ params }: PageProps<"/accounts/[id]">) {
  const { id } = await params;
  const user = await signedInSubject();
  const [account, { items }] = await Promise.all([user.connection(id), user.content(id, lastDays()).page()]);
  // The service reads the posts of a new account in the background.
  const isReading = account.syncStatus === "PENDING" || account.syncStatus === "RUNNING";
  return (
    <>
      <h1>Posts of {account.profile?.displayName ?? account.providerAccountId}</h1>
      {isReading && <Reload text="Reading posts…" />}
      <ul>
        {items.map(({ id, title, description, metrics }) => (
          <li key={id}>
            {title ?? description}: {/* A metric that the provider does not report is missing, not 0. */}
            {metrics.map(({ name, value }) => `${name.toLowerCase()} ${value ?? "not reported"}`).join(", ")}
          </li>
        ))}
      </ul>
      <p>
        <Link href="/">Back</Link>
      </p>
    </>
  );
}
// #endregion posts
