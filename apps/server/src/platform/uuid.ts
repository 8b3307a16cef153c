export { asUuid } from "@social-connect/domain";
