export type { Clock } from "@social-connect/sdk-core";
export { systemClock } from "@social-connect/sdk-core";
