import type { ErrorDetails } from "./errors.ts";
import { SocialConnectError } from "./errors.ts";

/** The fields of an error response. */
export interface ServiceErrorDetails extends ErrorDetails {
  readonly httpStatus?: number | undefined;
  /** Which rule of the code applied; only on the admin API. */
  readonly reason?: string | undefined;
}

/**
 * The service refused a call with an error code (service description, part 7). A code without its own class uses this
 * class.
 */
export class ServiceError extends SocialConnectError {
  static override readonly family: string = "ServiceError";
  /** The status of the answer, which is usually 200. */
  readonly httpStatus: number | undefined;

  constructor(details: ErrorDetails & { httpStatus?: number | undefined }) {
    super("service", details);
    this.httpStatus = details.httpStatus;
  }
}
