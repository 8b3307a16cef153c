/** Codes that concern the account, in the forms that providers use: `accountSuspended`, `user_banned`, `channel_is_closed`. */
const ACCOUNT_CODE =
  /^(?:authenticated)?(?:user|account|useraccount|channel)(?:is|hasbeen)?(?:banned|blocked|closed|deactivated|deleted|disabled|restricted|suspended|terminated)$/;

/** Codes of a refused application: `app_blocked`, `client_disabled`, `deleted_client`, `application_under_review`. */
const APPLICATION_CODE =
  /^(?:app|application|client|consumer|project|service)(?:is|hasbeen)?(?:banned|blocked|deleted|disabled|inactive|invalid|notapproved|restricted|suspended|underreview)$|^(?:deleted|disabled|invalid|suspended|unauthorized|unaudited)client$/;

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
