export { ADMIN_SCHEMA_TEXT } from "../_generated/adminSchema.ts";
export { CONSUMER_SCHEMA_TEXT } from "../_generated/consumerSchema.ts";
