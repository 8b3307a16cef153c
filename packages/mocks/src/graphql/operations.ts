import {
  API_KEY_OPERATIONS,
  type ApiKeyOperationName,
  CONSUMER_OPERATIONS,
  type ConsumerOperationName,
} from "@social-connect/contract";

/** The operations of the consumer API. */
export const OPERATIONS = Object.keys(CONSUMER_OPERATIONS) as ConsumerOperationName[];
/** The operations of the admin API that an API key may call. */
export const ADMIN_OPERATIONS = Object.keys(API_KEY_OPERATIONS) as ApiKeyOperationName[];

/** Name of an operation of either API that a key can call, e.g. `connections` or `setClientEnabled`. */
export type MockOperation = ConsumerOperationName | ApiKeyOperationName;
