import type { ConnectResultCode, ConnectSessionStatus } from "@social-connect/contract";

interface AttemptTexts {
  readonly userMessage: string;
  readonly nextStep: string;
}

const RETRY = "Try to connect your account again.";

const BY_CODE: Readonly<Record<ConnectResultCode, AttemptTexts>> = {
  SUPERSEDED: {
    userMessage: "You started to connect the account a second time. Only the newer attempt counts.",
    nextStep: "Read the result of the newer attempt.",
  },
  RECONNECT_TARGET_GONE: {
    userMessage: "The account was disconnected in the meantime. Connect it as a new account.",
    nextStep: "Nothing to do.",
  },
  APPLICATION_DISABLED: {
    userMessage: "The application cannot connect accounts right now.",
    nextStep: "The client was disabled during the attempt. Enable it on its page.",
  },
  USER_DENIED: {
    userMessage: `You did not give the application permission on the platform. ${RETRY}`,
    nextStep: "Nothing to do.",
  },
  PROVIDER_ERROR: {
    userMessage: `The platform reported an error. ${RETRY}`,
    nextStep: "If it repeats for other users, check the registration's client id, scopes and callback URL.",
  },
  NO_CAPABILITY_GRANTED: {
    userMessage: `You deselected every permission. ${RETRY} Leave at least one selected.`,
    nextStep: "Nothing to do.",
  },
  NOT_A_TESTER: {
    userMessage:
      "Only test accounts can be connected here, and yours is not on the list. Send us the id of your account.",
    nextStep:
      "The service does not store which account it was. Ask the user for the account's id and add it to the testers of the client.",
  },
  ACCOUNT_MISMATCH: {
    userMessage: "You signed in to the platform with another account than the connected one. Choose the same account.",
    nextStep: "The attempt was to reconnect the named connection.",
  },
  EXCHANGE_FAILED: {
    userMessage: `The platform rejected the connection. ${RETRY}`,
    nextStep: "If it repeats for other users, check the registration's client secret and addresses.",
  },
  PROVIDER_UNAVAILABLE: {
    userMessage: `The platform did not respond. ${RETRY}`,
    nextStep: "Wait for the provider.",
  },
  POLICY_CHANGED: {
    userMessage: `The application's settings changed while you connected the account. ${RETRY}`,
    nextStep: "The client, the registration or a disconnect changed during the attempt.",
  },
  DEADLINE_PASSED: {
    userMessage: `You did not finish within ten minutes. ${RETRY}`,
    nextStep: "Nothing to do.",
  },
};

const UNFINISHED: AttemptTexts = {
  userMessage: "You have not finished connecting the account. Continue on the platform.",
  nextStep: "The attempt ends at its deadline.",
};
const COMPLETED: AttemptTexts = { userMessage: "Your account is connected.", nextStep: "Open the connection." };
const UNKNOWN: AttemptTexts = { userMessage: RETRY, nextStep: "The code is not known to this version." };

/** The message for the user of a connect attempt. */
export function explainAttempt(status: ConnectSessionStatus, resultCode: string | null): AttemptTexts {
  if (status === "COMPLETED") return COMPLETED;
  if (resultCode === null) return UNFINISHED;
  return (BY_CODE as Readonly<Record<string, AttemptTexts>>)[resultCode] ?? UNKNOWN;
}

const SHORTEST_ID = 8;
const CHARACTERS_SHOWN = 4;

/** The end of a provider's account id, so that a user can recognize the account; null for an id that it would reveal. */
export function accountHint(providerAccountId: string): string | null {
  const characters = [...providerAccountId];
  return characters.length < SHORTEST_ID ? null : `…${characters.slice(-CHARACTERS_SHOWN).join("")}`;
}
