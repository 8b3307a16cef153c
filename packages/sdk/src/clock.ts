export type { Clock } from "@social-connect/sdk-core";
export { pause, systemClock } from "@social-connect/sdk-core";
