export { Paged } from "@social-connect/sdk-core";
