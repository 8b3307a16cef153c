import type { Row } from "../harness/coverage.ts";

const ATTEMPT = "enum:ConnectSessionStatus.";

function attempt(from: string, to: string, resultCode: string | null, text: string): Row {
  return {
    id: `transition:attempt.${from}.${to}${resultCode === null ? "" : `.${resultCode}`}`,
    source: "S3, decisions",
    text,
    witness: [`${ATTEMPT}${to}`, ...(resultCode === null ? [] : [`resultCode:${resultCode}`])],
  };
}

function move(kind: string, enumeration: string, from: string, to: string, text: string, seesFrom = true): Row {
  return {
    id: `transition:${kind}.${from}.${to}`,
    source: "S3, decisions",
    text,
    witness: [...(seesFrom && from !== "none" ? [`enum:${enumeration}.${from}`] : []), `enum:${enumeration}.${to}`],
  };
}

const connection = (from: string, to: string, text: string) => move("connection", "ConnectionStatus", from, to, text);
const job = (from: string, to: string, text: string, seesFrom = true) =>
  move("job", "JobStatus", from, to, text, seesFrom);

/** Part 3 and the tables of transitions on the decisions page. */
export const TRANSITION_ROWS: readonly Row[] = [
  attempt("CREATED", "AUTHORIZING", null, "launch token redeemed in time"),
  attempt("CREATED", "CANCELED", "SUPERSEDED", "a newer reconnect of the same connection is redeemed"),
  attempt("AUTHORIZING", "CANCELED", "SUPERSEDED", "a newer reconnect of the same connection is redeemed"),
  attempt("CREATED", "CANCELED", "RECONNECT_TARGET_GONE", "the connection to reconnect is disconnected"),
  attempt("AUTHORIZING", "CANCELED", "RECONNECT_TARGET_GONE", "the connection to reconnect is disconnected"),
  attempt("CREATED", "CANCELED", "APPLICATION_DISABLED", "the application is disabled"),
  attempt("AUTHORIZING", "EXCHANGING", null, "callback with a code"),
  attempt("AUTHORIZING", "DENIED", "USER_DENIED", "callback with access_denied"),
  attempt("AUTHORIZING", "FAILED", "PROVIDER_ERROR", "callback with any other error"),
  attempt("EXCHANGING", "COMPLETED", null, "account read, a capability granted"),
  attempt("EXCHANGING", "DENIED", "NO_CAPABILITY_GRANTED", "no requested capability granted"),
  attempt("EXCHANGING", "FAILED", "NOT_A_TESTER", "not a tester"),
  attempt("EXCHANGING", "FAILED", "ACCOUNT_MISMATCH", "a reconnect with another account"),
  attempt("EXCHANGING", "FAILED", "EXCHANGE_FAILED", "exchange refused"),
  attempt("EXCHANGING", "FAILED", "PROVIDER_UNAVAILABLE", "exchange failing after limited retries"),
  attempt("EXCHANGING", "FAILED", "POLICY_CHANGED", "policy changed during the attempt"),
  attempt("CREATED", "FAILED", "POLICY_CHANGED", "the return URL is removed"),
  attempt("AUTHORIZING", "FAILED", "POLICY_CHANGED", "the return URL is removed"),
  attempt("CREATED", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  attempt("AUTHORIZING", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  attempt("EXCHANGING", "EXPIRED", "DEADLINE_PASSED", "deadline passed"),
  connection("none", "CONNECTED", "attempt COMPLETED"),
  connection("CONNECTED", "RECONNECT_REQUIRED", "the grant is revoked"),
  connection("CONNECTED", "SUSPENDED", "a sibling's revoke is in progress"),
  connection("SUSPENDED", "CONNECTED", "the revoke settled and the re-check passed"),
  connection("SUSPENDED", "RECONNECT_REQUIRED", "the revoke settled and the re-check failed"),
  connection("RECONNECT_REQUIRED", "CONNECTED", "reconnect COMPLETED"),
  connection("CONNECTED", "DISCONNECTED", "disconnectConnection"),
  connection("RECONNECT_REQUIRED", "DISCONNECTED", "disconnectConnection"),
  connection("SUSPENDED", "DISCONNECTED", "disconnectConnection"),
  connection("DISCONNECTED", "DELETING", "the erase job starts to delete"),
  {
    id: "transition:connection.DELETING.gone",
    source: "S3, decisions",
    text: "erase done: the row is deleted",
    witness: ["code:NOT_FOUND"],
  },
  job("QUEUED", "SUCCEEDED", "work done"),
  job("RUNNING", "QUEUED", "RUNNING to QUEUED with nextRetryAt", false),
  job("RUNNING", "FAILED", "work failed", false),
  job("RUNNING", "CANCELED", "the connection is disconnected", false),
  move("identity", "IdpIdentityStatus", "PENDING", "PENDING", "still pending: the proof is not consumed"),
  move("identity", "IdpIdentityStatus", "PENDING", "COMPLETED", "signed in"),
  move("identity", "IdpIdentityStatus", "PENDING", "DENIED", "access_denied", false),
  move("identity", "IdpIdentityStatus", "PENDING", "FAILED", "any other outcome", false),
  move("identity", "IdpIdentityStatus", "PENDING", "EXPIRED", "deadline passed", false),
];
