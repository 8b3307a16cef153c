import { type ErrorDetails, SocialConnectError } from "./errors.ts";

/** The fields of an error response. */
export interface ServiceErrorDetails extends ErrorDetails {
  readonly httpStatus?: number | undefined;
  /** The violated rule; only on the admin API. */
  readonly reason?: string | undefined;
}

/** The service rejected a call with an error code. Codes without their own class use this class. */
export class ServiceError extends SocialConnectError {
  static override readonly family: string = "ServiceError";
  /** The HTTP status of the response, usually 200. */
  readonly httpStatus: number | undefined;

  constructor(details: ErrorDetails & { httpStatus?: number | undefined }) {
    super("service", details);
    this.httpStatus = details.httpStatus;
  }
}
