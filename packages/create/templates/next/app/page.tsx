import { revalidatePath } from "next/cache";
import Link from "next/link";
import { availableProviders, labelOf, signedInSubject } from "../lib/social";

export default async function Home() {
  const user = await signedInSubject();
  const [accounts, providers] = await Promise.all([Array.fromAsync(user.connections()), availableProviders()]);
  const linked = accounts.filter(({ status }) => status !== "DISCONNECTED");
  return (
    <>
      <h1>Your accounts</h1>
      <ul>
        {linked.length === 0 && <li>No account is linked yet.</li>}
        {linked.map(({ id, provider, profile, providerAccountId, status }) => (
          <li key={id}>
            <Link href={`/accounts/${id}`}>{profile?.displayName ?? providerAccountId}</Link> ({labelOf(provider)},{" "}
            {status})
            <form action={disconnect.bind(null, id)}>
              <button type="submit">Disconnect</button>
            </form>
          </li>
        ))}
      </ul>
      {/* A plain form: the route answers with the page that takes the browser to the provider. */}
      <form method="post" action="/connect">
        {providers.map((provider) => (
          <button key={provider} type="submit" name="provider" value={provider}>
            Connect {labelOf(provider)}
          </button>
        ))}
      </form>
    </>
  );
}

async function disconnect(connectionId: string) {
  "use server";
  await (await signedInSubject()).disconnect(connectionId);
  revalidatePath("/");
}
