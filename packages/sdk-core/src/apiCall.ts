/** How a call was answered. */
export interface ResponseInfo {
  /** The HTTP status of the response. */
  readonly httpStatus: number;
  /** Identifies the request in a support case; undefined if a proxy removed it. */
  readonly correlationId: string | undefined;
  /** When the service sent it, by the service's clock, to the second; undefined if the response has no `Date` header. */
  readonly date: Date | undefined;
  /** Milliseconds from the call to its result, with retries and their delays. */
  readonly durationMs: number;
  /** The number of requests: 1 without retries. */
  readonly attempts: number;
}

/** A result with the response that contained it. */
export interface WithResponse<Result, Response = ResponseInfo> {
  /** What the call returns. */
  readonly data: Result;
  /** How it was answered. */
  readonly response: Response;
}

/** The promise of a call's result. The request is sent immediately, whether or not anything waits for it. */
export interface ApiCall<Result, Response = ResponseInfo> extends Promise<Result> {
  /** The result with its response: status, correlation id, duration. Rejects as the call does; sends nothing again. */
  withResponse(): Promise<WithResponse<Result, Response>>;
}

/** Runs a call. Exceptions of `run` reject the promise. */
export function apiCall<Result, Response>(
  run: () => Promise<WithResponse<Result, Response>>,
): ApiCall<Result, Response> {
  const ended = (async () => run())();
  const result = ended.then(({ data }) => data);
  const withResponse = () => {
    // A caller that uses only this promise does not handle a rejection of the other one.
    result.catch(() => undefined);
    return ended;
  };
  return Object.assign(result, { withResponse });
}
