import type { SocialProvider } from "@social-connect/contract";
import { PROVIDER_NAMES } from "./labels.ts";
import { LinkTo } from "./links.tsx";
import { TwoLines } from "./TwoLines.tsx";

interface AccountNameProps {
  /** The connection's id. */
  readonly id: string;
  readonly provider: SocialProvider;
  /** The end of the account's id. */
  readonly accountHint: string | null;
}

/** An account in a list, with a link to the page of its connection. */
export function AccountName({ id, provider, accountHint }: AccountNameProps) {
  const name = (
    <LinkTo to="/support/connections/$connectionId" params={{ connectionId: id }}>
      {PROVIDER_NAMES[provider]}
    </LinkTo>
  );
  return <TwoLines name={name} detail={accountHint !== null && <>account {accountHint}</>} />;
}
