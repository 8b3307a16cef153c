import type { ConnectionsSearch } from "./connectionsSearch.ts";
import { LinkTo } from "./links.tsx";

/** How many connections there are, with a link to them. */
export function ConnectionCount({ count, of }: { readonly count: number; readonly of: ConnectionsSearch }) {
  const text = count.toLocaleString("en");
  if (count === 0) return <>{text}</>;
  return (
    <LinkTo to="/connections" search={of} inherit>
      {text}
    </LinkTo>
  );
}
