import fc from "fast-check";
import type { ConnectionFacts } from "../siblings.ts";

/** A connection at a provider whose revoke can end the grants of siblings. */
export const CONNECTION: ConnectionFacts = {
  id: "c-1",
  applicationId: "app-1",
  registrationId: "r-1",
  provider: "PROVIDER_A",
  tenantKey: "t-1",
  externalSubjectId: "s-1",
  providerAccountId: "account-1",
  providerUserKey: null,
  status: "CONNECTED",
  suspendedByJobId: null,
  appRemovedAt: null,
  eraseJobId: null,
};

const letter = fc.constantFrom("x", "y");
/** Connections that often have facts in common. */
export const ANY_CONNECTION = fc.record({
  id: letter,
  applicationId: letter,
  provider: fc.constantFrom("PROVIDER_A", "PROVIDER_B"),
  tenantKey: letter,
  externalSubjectId: letter,
  providerAccountId: letter,
  providerUserKey: fc.option(letter),
});
