const ACCOUNT = "(?:user|account|useraccount|channel)";
const ACCOUNT_ENDED = "(?:banned|blocked|closed|deactivated|deleted|disabled|inactive|restricted|suspended|terminated)";
/**
 * Codes that concern the account, in the forms that providers use: `accountSuspended`, `user_banned`, `channel_is_closed`,
 * `disabled_user`.
 */
const ACCOUNT_CODE = new RegExp(
  `^(?:authenticated)?${ACCOUNT}(?:is|was|hasbeen)?${ACCOUNT_ENDED}$|^${ACCOUNT_ENDED}${ACCOUNT}$`,
);

const APPLICATION = "(?:app|application|client|clientid|clientkey|clientsecret|consumer|project|service)";
const APPLICATION_REFUSED =
  "(?:banned|blocked|deleted|disabled|inactive|invalid|notapproved|notactive|notlive|restricted|suspended|terminated|unapproved|underreview|unpublished)";
/** Codes of a refused application: `app_blocked`, `client_disabled`, `invalid_client_key`, `application_under_review`. */
const APPLICATION_CODE = new RegExp(
  `^${APPLICATION}(?:is|was|hasbeen)?${APPLICATION_REFUSED}$|^(?:${APPLICATION_REFUSED}|unauthorized|unaudited)${APPLICATION}$`,
);

function plain(code: string): string {
  return code.toLowerCase().replace(/[_\s-]/g, "");
}

/** The account is in a state that waiting does not change. */
export function isAccountCode(code: string): boolean {
  return ACCOUNT_CODE.test(plain(code));
}

/** The provider refuses the registration's client, for every account. */
export function isApplicationCode(code: string): boolean {
  return APPLICATION_CODE.test(plain(code));
}
