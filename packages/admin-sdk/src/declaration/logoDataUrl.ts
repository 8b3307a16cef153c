import { logoDataUrl as dataUrlOf, logoProblem } from "@social-connect/domain";
import { ConfigurationError } from "@social-connect/sdk-core";

/**
 * The data URL for the `logo` of a client, from the bytes of a PNG, JPEG or WebP file. Throws ConfigurationError for a
 * file that the service would refuse.
 */
export function logoDataUrl(file: Uint8Array): string {
  const url = dataUrlOf(file);
  const problem = url === null ? "The logo must be a PNG, JPEG or WebP image." : logoProblem(url);
  if (url === null || problem !== null) throw new ConfigurationError(problem ?? "");
  return url;
}
