import { ServiceError as AnyServiceError, type ServiceErrorDetails } from "@social-connect/sdk-core/serviceError";

/** The service rejected a call with an error code. Codes without their own class use this class. */
export class ServiceError extends AnyServiceError {
  static override readonly family: string = "ServiceError";
  /** The violated rule, such as `LAST_ORIGIN` for CONFLICT; undefined if the service sends none. */
  readonly reason: string | undefined;

  static {
    // Node prints the name of the class, and the bundler renames one of two classes with the same name.
    Object.defineProperty(ServiceError, "name", { value: "ServiceError" });
  }

  constructor(details: ServiceErrorDetails) {
    super(details);
    this.reason = details.reason;
  }
}
