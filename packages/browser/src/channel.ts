/** Between pages of one origin in one storage partition. It works after a page has separated the two windows. */
const CHANNEL = "social-connect";
const NAME = "social-connect-";
const STORAGE_KEY = "social-connect.launch";
const LAUNCH_ID = /^[\w-]{1,64}$/;

/** From the popup to the page that opened it, and the confirmation of that page. No message contains a secret. */
export type Message =
  | {
      readonly type: "returned";
      readonly launchId: string;
      readonly sessionId: string;
      readonly status: string | null;
    }
  | { readonly type: "taken"; readonly launchId: string };

export interface Channel {
  send(message: Message): void;
  close(): void;
}

/** False in old browsers, and where one throws: in a sandboxed frame, or in a frame whose storage is blocked. */
export function hasChannel(): boolean {
  try {
    new BroadcastChannel(CHANNEL).close();
    return true;
  } catch {
    return false;
  }
}

/** Between this page and the one in the other window. Calls back for each well-formed message about one launch: other scripts of the origin can write to the channel too. */
export function openChannel(
  launchId: string,
  peerOf: () => Window | null,
  onMessage: (message: Message) => void,
): Channel {
  const channel = hasChannel() ? new BroadcastChannel(CHANNEL) : null;
  const receive = ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data) && data.launchId === launchId) onMessage(data);
  };
  // In a sandbox without allow-same-origin the origin is "null", and equals that of every other sandbox.
  const hasOrigin = origin !== "null";
  // A frame of another site has its own storage and channels, and still knows the window that it opened.
  const receiveDirectly = (event: MessageEvent<unknown>) => {
    const peer = peerOf();
    if (peer !== null && event.source === peer && hasOrigin && event.origin === origin) receive(event);
  };
  if (channel !== null) channel.onmessage = receive;
  addEventListener("message", receiveDirectly);
  return {
    send: (message) => {
      channel?.postMessage(message);
      if (hasOrigin) peerOf()?.postMessage(message, origin);
    },
    close: () => {
      channel?.close();
      removeEventListener("message", receiveDirectly);
    },
  };
}

function isMessage(data: unknown): data is Message {
  if (typeof data !== "object" || data === null) return false;
  const { type, launchId, sessionId, status } = data as Record<string, unknown>;
  if (typeof launchId !== "string") return false;
  if (type === "taken") return true;
  return type === "returned" && typeof sessionId === "string" && (status === null || typeof status === "string");
}

/** `crypto.randomUUID` only exists in secure contexts, which excludes development servers in a local network. */
export function newLaunchId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function windowName(launchId: string): string {
  return NAME + launchId;
}

/**
 * Writes the launch id where the popup finds it when it returns. Its name is not sufficient: a page during the redirects can
 * separate the popup from its opener (Cross-Origin-Opener-Policy), and browsers then clear the name.
 */
export function markWindow(popup: Window, launchId: string): void {
  try {
    popup.sessionStorage.setItem(STORAGE_KEY, launchId);
  } catch {
    // Storage is disabled. The name remains.
  }
}

/** The launch that this window was opened for, once: the window may be used for something else afterwards. */
export function takeLaunchId(): string | null {
  const named = window.name.startsWith(NAME) ? window.name.slice(NAME.length) : null;
  if (named !== null) window.name = "";
  let stored: string | null = null;
  try {
    stored = sessionStorage.getItem(STORAGE_KEY);
    sessionStorage.removeItem(STORAGE_KEY);
  } catch {
    // Storage is disabled.
  }
  const launchId = stored ?? named;
  return launchId !== null && LAUNCH_ID.test(launchId) ? launchId : null;
}
