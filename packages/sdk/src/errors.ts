export type { ErrorDetails, ErrorKind, ProtocolProblem } from "@social-connect/sdk-core";
export {
  ConfigurationError,
  ProtocolError,
  SocialConnectError,
  TimeoutError,
  TransportError,
} from "@social-connect/sdk-core";
