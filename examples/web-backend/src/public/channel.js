/** Between pages of this origin only. Unlike `window.opener` it works after the popup was at other origins. */
export function openChannel() {
  return new BroadcastChannel("connect");
}
