// #region tracing
import { SocialConnect } from "@social-connect/sdk";
import { withOpenTelemetry } from "@social-connect/sdk/opentelemetry";

export function createClient(baseUrl: string, key: string): SocialConnect {
  return new SocialConnect(withOpenTelemetry({ baseUrl, key }));
}
// #endregion tracing
