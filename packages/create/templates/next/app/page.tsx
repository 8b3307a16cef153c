import type { Connection } from "@social-connect/sdk";
import { revalidatePath } from "next/cache";
import Link from "next/link";
import { Reload } from "../lib/Reload";
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
        {linked.map((account) => (
          <li key={account.id}>
            <Account {...account} />
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

function Account({ id, provider, profile, providerAccountId, status }: Connection) {
  const name = profile?.displayName ?? providerAccountId;
  // The service erases in the background.
  if (status === "DELETING") return <Reload text={`${name} (${labelOf(provider)}): disconnecting…`} />;
  return (
    <>
      <Link href={`/accounts/${id}`}>{name}</Link> ({labelOf(provider)}, {status})
      <form action={disconnect.bind(null, id)}>
        <button type="submit">Disconnect</button>
      </form>
    </>
  );
}

async function disconnect(connectionId: string) {
  "use server";
  await (await signedInSubject()).disconnect(connectionId);
  revalidatePath("/");
}
