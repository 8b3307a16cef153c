/** Connect from a web page. Everything exported here is public and follows semver. */
export type { ConnectButtonOptions } from "./button.ts";
export { createConnectButton, enhanceConnectForm } from "./button.ts";
export type { ConnectReturn, FinishOptions } from "./finish.ts";
export { finishConnect } from "./finish.ts";
export type { ConnectFields, ConnectForm, ConnectOptions, ConnectRequest } from "./options.ts";
export type { ConnectLaunch, ConnectOutcome, ReturnedOutcome } from "./start.ts";
export { startConnect } from "./start.ts";
