import { type Channel, hasChannel, openChannel, takeLaunchId } from "./channel.ts";

const SESSION_PARAMETER = "ss_session_id";
const STATUS_PARAMETER = "ss_status";
const TAKEN_TIMEOUT_MS = 1_000;

/** For a return page that knows more than its URL and its window. */
export interface FinishOptions {
  /** The URL with the parameters of the service; the page's own by default. */
  readonly url?: string | undefined;
  /** The launch that this window was opened for, if your backend stored it; by default the window knows it. */
  readonly launchId?: string | undefined;
  /** How long the page that opened the window may take to respond; 1,000 ms by default. */
  readonly timeoutMs?: number | undefined;
}

/** What a return page does next. */
export interface ConnectReturn {
  /** True: another page shows the result, and this window is closing. False: show the result here. */
  readonly isHandedOver: boolean;
  /** A hint from the URL: only your backend can read the result with it. */
  readonly sessionId: string | null;
  /** A hint from the URL, never a result. */
  readonly statusHint: string | null;
}

/**
 * Call it on your return page. In a popup it passes the attempt to the page that opened the window, and closes the window
 * if that page has taken it. In a full page, or if the other page was closed, the result is to be shown here.
 */
export async function finishConnect(options: FinishOptions = {}): Promise<ConnectReturn> {
  const { searchParams } = new URL(options.url ?? location.href, location.href);
  const sessionId = searchParams.get(SESSION_PARAMETER);
  const statusHint = searchParams.get(STATUS_PARAMETER);
  // Also removes the mark if it is not needed.
  const marked = takeLaunchId();
  const launchId = options.launchId ?? marked;
  const canHandOver = launchId !== null && sessionId !== null && (window.opener !== null || hasChannel());
  const isHandedOver =
    canHandOver && (await handOver(launchId, sessionId, statusHint, options.timeoutMs ?? TAKEN_TIMEOUT_MS));
  // A separated window cannot close itself, so the page should also say that it can be closed.
  if (isHandedOver) window.close();
  return { isHandedOver, sessionId, statusHint };
}

function handOver(launchId: string, sessionId: string, status: string | null, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isTaken: boolean) => {
      clearTimeout(timer);
      channel.close();
      resolve(isTaken);
    };
    const channel: Channel = openChannel(
      launchId,
      () => window.opener as Window | null,
      ({ type }) => {
        if (type === "taken") end(true);
      },
    );
    const timer = setTimeout(() => end(false), timeoutMs);
    channel.send({ type: "returned", launchId, sessionId, status });
  });
}
