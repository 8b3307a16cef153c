import type { BrowserContext } from "@social-connect/testkit";

export interface Traffic {
  /** Every address that was asked for or redirected to, by whichever tab. */
  readonly addresses: readonly string[];
  /** Every `Referer` that was sent. */
  readonly referrers: readonly string[];
  /** The headers of every answer, redirects included. */
  readonly answers: readonly { readonly url: URL; readonly headers: Readonly<Record<string, string>> }[];
  /** The launch token that the form posted, and the code that the provider's answer carried. */
  secrets(): Promise<{ readonly launchToken: string; readonly code: string }>;
}

/** Writes down what a browser tells the world: addresses, redirects and referrers. */
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
    // What was really sent, and not only what the page asked for.
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

/** A page that was left before its answer came has no headers to tell. */
function ignore(): void {}
