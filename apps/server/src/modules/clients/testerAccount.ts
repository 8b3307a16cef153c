import type { SocialProvider } from "@social-connect/contract";
import { checkText } from "@social-connect/domain";
import { enforceInput } from "../admin/errors.ts";

/** An account that may connect in sandbox mode, by the provider's own id. */
export interface TesterAccount {
  readonly provider: SocialProvider;
  readonly providerAccountId: string;
}

const ACCOUNT_ID = { maxLength: 256 };

export function checkTesterAccount({ providerAccountId }: TesterAccount): void {
  enforceInput("providerAccountId", checkText(providerAccountId, "providerAccountId", ACCOUNT_ID));
}
