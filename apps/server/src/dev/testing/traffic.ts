import type { BrowserContext } from "@social-connect/testkit";

export interface Traffic {
  /** Every requested or redirected URL, in all tabs. */
  readonly addresses: readonly string[];
  /** Every `Referer` that was sent. */
  readonly referrers: readonly string[];
  /** The headers of every response, including redirects. */
  readonly answers: readonly { readonly url: URL; readonly headers: Readonly<Record<string, string>> }[];
  /** The launch token in the form and the code in the callback. */
  secrets(): Promise<{ readonly launchToken: string; readonly code: string }>;
}

/** Records what a browser reveals: URLs, redirects and referrers. */
export function watchTraffic(context: BrowserContext): Traffic {
  const addresses: string[] = [];
  const referrers: string[] = [];
  const answers: Traffic["answers"][number][] = [];
  let launchToken = "";
  let code = "";
  const open: Promise<void>[] = [];
  context.on("request", (request) => {
    const url = new URL(request.url());
    addresses.push(url.href);
    if (url.pathname === "/api/connect/redeem") {
      launchToken = new URLSearchParams(request.postData() ?? "").get("launchToken") ?? "";
    }
    code = url.searchParams.get("code") ?? code;
    // The headers that were sent, including headers that the page did not set.
    open.push(
      request.allHeaders().then(({ referer }) => {
        if (referer !== undefined) referrers.push(referer);
      }, ignore),
    );
  });
  context.on("response", (response) => {
    open.push(
      response.allHeaders().then((headers) => {
        answers.push({ url: new URL(response.url()), headers });
        const { location } = headers;
        if (location !== undefined) addresses.push(new URL(location, response.url()).href);
      }, ignore),
    );
  });
  return {
    addresses,
    referrers,
    answers,
    secrets: async () => {
      await Promise.all(open);
      return { launchToken, code };
    },
  };
}

/** A page that was left before its response arrived has no headers. */
function ignore(): void {}
