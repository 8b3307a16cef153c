import { AppError, INVALID_APPLICATION_KEY } from "@social-connect/domain";
import type { GraphQLResolveInfo } from "graphql";
import type { Caller, SentKey } from "../../modules/applications/checkKey.ts";
import type { Reader } from "../../modules/applications/readForKey.ts";
import type { CallContext } from "../shared/callContext.ts";

/** What one request to the consumer API carries through its resolvers. */
export interface ConsumerContext extends CallContext {
  /** Every Authorization header of the request. */
  readonly authorization: readonly string[];
  /** The UUID of the header; null if it is missing or malformed. */
  readonly idempotencyKey: string | null;
  /** The application key; null if it is missing or malformed. */
  readonly sentKey: SentKey | null;
  /** Set before execution when the operation has a field that needs the application key. */
  caller: Caller | null;
  /** Whether the body is so large that the key is checked before it is read. */
  isKeyFirst: boolean;
  /** Whether the key was checked, even if it was refused. */
  isKeyChecked: boolean;
  /** Instead of `caller`, for a read that checks the key itself. */
  reader: ReturningReader | null;
}

/** A returning key, which the statement that reads for it checks. */
export class ReturningReader implements Reader {
  readonly keyId: string;
  readonly secretHash: Uint8Array;
  readonly application: { readonly id: string };
  isValid = false;
  /** Why a read refused the key. */
  refusal: unknown = null;

  constructor({ keyId, secretHash }: SentKey, applicationId: string) {
    this.keyId = keyId;
    this.secretHash = secretHash;
    this.application = { id: applicationId };
  }

  readonly onChecked = (refusal: unknown): void => {
    this.isValid = refusal === null;
    this.refusal = refusal;
  };
}

/** The calling application. */
export function callerOf({ caller }: ConsumerContext): Caller {
  if (caller === null) {
    throw new AppError(INVALID_APPLICATION_KEY);
  }
  return caller;
}

/** The same for a call that must not be made twice. `field` distinguishes several of them in one document. */
export function onceCallerOf(context: ConsumerContext, { path: { key: field } }: GraphQLResolveInfo): Caller {
  const { idempotencyKey } = context;
  return idempotencyKey === null
    ? callerOf(context)
    : { ...callerOf(context), idempotencyKey: `${idempotencyKey} ${field}` };
}

/** The application of a read, whose key may not be checked yet. */
export function readerOf(context: ConsumerContext): Reader {
  return context.reader ?? callerOf(context);
}

/** The application for which the call was answered; null if its key was refused or is not checked yet. */
export function knownCaller({ caller, reader }: ConsumerContext): Reader | null {
  return caller ?? (reader?.isValid ? reader : null);
}
