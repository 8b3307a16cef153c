export type { SecretText } from "@social-connect/sdk-core";
export { revealed, Secret } from "@social-connect/sdk-core";
