import { isPreparedWithoutKey, isReadWithoutKey, needsNoKey } from "@social-connect/transport";
import type { ExecutionResult } from "graphql";
import type { YogaInitialContext } from "graphql-yoga";
import { LRUCache } from "lru-cache";
import { authenticate, type SentKey } from "../../modules/applications/checkKey.ts";
import { equalHashes } from "../../platform/secrets/hash.ts";
import { type ApiPlugin, maskError } from "../shared/api.ts";
import type { ReadyDocument } from "../shared/documents.ts";
import { type ConsumerContext, ReturningReader } from "./context.ts";

/**
 * Checks the application key, which every operation but `status` needs. The key of a large body or document is checked
 * before it is read. A returning caller's is checked later: by the statement that reads, or before an error is the response,
 * because an invalid key comes first.
 */
export function useApplicationKey(): ApiPlugin<ConsumerContext> {
  const keys = new ReturningKeys();
  const authenticateCaller = async (context: ConsumerContext) => {
    context.isKeyChecked = true;
    context.caller = await authenticate(context.service, context.authorization);
    context.owner = context.caller.application.id;
    keys.remember(context.caller, context.owner);
  };
  const authenticateUnknown = async (context: ConsumerContext) => {
    if (context.caller === null && context.owner === null) await authenticateCaller(context);
  };
  /** Checks a key that its read did not find valid; throws if it is invalid. */
  const confirm = async (context: ConsumerContext) => {
    const { reader, sentKey } = context;
    if (sentKey !== null) keys.forget(sentKey);
    if (reader?.refusal != null) throw reader.refusal;
    await authenticateCaller(context);
  };
  return {
    onRequestParse({ serverContext: { call: context } }) {
      context.owner = context.sentKey && keys.applicationOf(context.sentKey);
      context.isKeyFirst = !isReadWithoutKey(context.body);
      if (context.isKeyFirst) return authenticateUnknown(context).then(() => undefined);
    },
    onParams({ params, context: { call: context } }) {
      if (context.owner === null && !isPreparedWithoutKey(params.query ?? "")) return authenticateUnknown(context);
    },
    onExecute({ args }) {
      const { call: context } = args.contextValue;
      const { document, sentKey, owner, caller } = context;
      if (document === null || needsNoKey(document.roots)) context.owner = null;
      else if (caller === null && sentKey !== null && owner !== null && checksKey(document))
        context.reader = new ReturningReader(sentKey, owner);
      else if (caller === null) return authenticateCaller(context);
    },
    onResultProcess({ result, setResult, serverContext }) {
      const { errors = [] } = result as ExecutionResult;
      const { call, params }: Partial<YogaInitialContext> & typeof serverContext = serverContext;
      if (isConfirmed(call, params?.query ?? "", errors.length > 0)) return;
      return confirm(call).catch((error: unknown) => setResult({ errors: [maskError(error)] }));
    },
  };
}

/**
 * Whether the key of a response was checked enough: the statement that read with it found it valid, or the response has data, or
 * is an error that callers without a key may see.
 */
function isConfirmed({ reader, isKeyFirst, isKeyChecked }: ConsumerContext, query: string, isError: boolean): boolean {
  if (reader !== null) return reader.isValid;
  return !isError || isKeyChecked || (!isKeyFirst && isPreparedWithoutKey(query));
}

/** True if the document is one read whose statement checks the key, so that the key needs no separate statement. */
function checksKey({ roots: [field, ...others] }: ReadyDocument): boolean {
  return field !== undefined && others.length === 0 && FREQUENT_READS.has(field);
}

/**
 * Keys that were valid in an earlier call, and their applications. Being listed allows nothing: it names the application
 * of a call before its key is checked. Only a caller that sends the same secret again is recognized.
 */
class ReturningKeys {
  readonly #known = new LRUCache<string, { readonly secretHash: Uint8Array; readonly application: string }>({
    max: 2_000,
  });

  remember({ keyId, secretHash }: SentKey, application: string): void {
    this.#known.set(keyId, { secretHash, application });
  }

  forget({ keyId }: SentKey): void {
    this.#known.delete(keyId);
  }

  /** The ID of the key's application; null for a key that was not valid before. */
  applicationOf({ keyId, secretHash }: SentKey): string | null {
    const known = this.#known.get(keyId);
    return known !== undefined && equalHashes(known.secretHash, secretHash) ? known.application : null;
  }
}

/** Root fields whose statement checks the key too, on connections that these reads share. */
const FREQUENT_READS: ReadonlySet<string> = new Set([
  "connection",
  "connections",
  "connectSessionResult",
  "content",
  "contentItem",
  "syncJob",
]);
