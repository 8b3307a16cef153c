import { ERROR_CODES, type ErrorCode, SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import { ensure, type Service } from "./service.ts";

export async function use({ url }: Service): Promise<void> {
  const code: ErrorCode = "RATE_LIMITED";
  const provider: SocialProvider = SOCIAL_PROVIDERS[0];
  // @ts-expect-error the type excludes codes that the contract does not have
  const none: ErrorCode = "NO_SUCH_CODE";
  ensure(ERROR_CODES.includes(code) && !ERROR_CODES.includes(none), "the contract knows its error codes");
  ensure(url !== "", "where the service is");
  ensure(provider === "PROVIDER_A", "the first provider");
}
