import type { SocialProvider } from "@social-connect/contract";
import { providerOfSlug } from "../providers/providerSlug.ts";

/** A message that a provider may send to an address of the service. */
export type ProviderMessage = "deauthorization" | "webhook" | "data-deletion";

const READ = ["GET", "HEAD"] as const;
const SEND = ["POST"] as const;
const BOTH = ["GET", "HEAD", "POST"] as const;

/** The service's addresses, each with its methods. A group is the path of a provider; a message exists at some providers only. */
const SERVED: readonly (readonly [shape: RegExp, methods: readonly string[], message?: ProviderMessage])[] = [
  [/^\/(?:graphql|api\/admin\/graphql|panel\/graphql)$/, SEND],
  [/^\/(?:schema\.graphql|healthz|readyz)$/, READ],
  [/^\/api\/(?:connect|identity)\/redeem$/, SEND],
  [/^\/api\/connect\/consent$/, BOTH],
  [/^\/api\/identity\/callback$/, BOTH],
  [/^\/api\/connect\/callback\/([^/]{1,64})$/, READ],
  [/^\/api\/connect\/deauthorize\/([^/]{1,64})$/, SEND, "deauthorization"],
  [/^\/api\/connect\/([^/]{1,64})\/webhook$/, SEND, "webhook"],
  [/^\/api\/connect\/([^/]{1,64})\/data-deletion$/, BOTH, "data-deletion"],
  [/^\/panel\/callback$/, BOTH],
  [/^\/panel\/(?:sign-out|audit-export|connections-export|person-export|preview)$/, SEND],
  [/^\/panel(?:$|\/)/, READ],
];

/** The methods of an address, for a 405 and its `Allow` header; null for an address that the service does not have. */
export function servedMethods(
  path: string,
  sends: (provider: SocialProvider, message: ProviderMessage) => boolean,
): readonly string[] | null {
  for (const [shape, methods, message] of SERVED) {
    const match = shape.exec(path);
    if (match === null) continue;
    const [, slug] = match;
    if (slug === undefined) return methods;
    const provider = providerOfSlug(slug);
    return provider !== null && (message === undefined || sends(provider, message)) ? methods : null;
  }
  return null;
}
