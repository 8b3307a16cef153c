import type { ErrorDetails } from "./errors.ts";
import { SocialConnectError } from "./errors.ts";

/** What an answer of the service says of a refusal. */
export interface ServiceErrorDetails extends ErrorDetails {
  readonly httpStatus?: number | undefined;
  /** Which rule of the code it was; on the admin API alone. */
  readonly reason?: string | undefined;
}

/** The service refused a call and said why (service description, part 7). A code without a class of its own is this. */
export class ServiceError extends SocialConnectError {
  static override readonly family: string = "ServiceError";
  /** The status of the answer, which is usually 200. */
  readonly httpStatus: number | undefined;

  constructor(details: ErrorDetails & { httpStatus?: number | undefined }) {
    super("service", details);
    this.httpStatus = details.httpStatus;
  }
}
