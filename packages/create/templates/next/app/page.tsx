import type { Connection } from "@social-connect/sdk";
import Link from "next/link";
import { reconnectSince } from "../lib/events";
import { availableProviders, signedInSubject } from "../lib/social";
import { accountName, isLinked, providerName, statusText } from "../lib/texts";

export default async function Home() {
  const user = await signedInSubject();
  const [accounts, providers] = await Promise.all([user.connections().toArray({ limit: 100 }), availableProviders()]);
  const linked = accounts.filter(isLinked);
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
            Connect {providerName(provider)}
          </button>
        ))}
      </form>
    </>
  );
}

function Account(account: Connection) {
  const { id, provider, status } = account;
  const name = `${accountName(account)} (${providerName(provider)})`;
  const disconnect = <Link href={`/accounts/${id}/disconnect`}>Disconnect</Link>;
  if (status === "CONNECTED") {
    return (
      <>
        <Link href={`/accounts/${id}`}>{name}</Link> – {disconnect}
      </>
    );
  }
  const text = `${name}: ${statusText(account, reconnectSince(id))}`;
  return (
    <>
      {text}
      {status === "RECONNECT_REQUIRED" && (
        <form method="post" action="/connect">
          <input type="hidden" name="reconnectConnectionId" value={id} />
          <button type="submit" name="provider" value={provider}>
            Reconnect
          </button>
        </form>
      )}{" "}
      {disconnect}
    </>
  );
}
