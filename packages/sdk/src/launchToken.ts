import { ConfigurationError, revealed } from "@social-connect/sdk-core";

/** Service description, part 2. */
const LAUNCH_TOKEN = /^[0-9a-f]{64}$/i;

/**
 * The text of a launch token. Throws for any other value: with `[redacted]` in the form, the service would show the user that
 * the link was already used.
 */
export function launchTokenOf(token: unknown): string {
  const text = revealed(token);
  if (text !== undefined && LAUNCH_TOKEN.test(text)) return text;
  throw new ConfigurationError(
    "The session's launchToken is not a token. JSON and logs omit it: between processes, use exportSession and importSession.",
  );
}
