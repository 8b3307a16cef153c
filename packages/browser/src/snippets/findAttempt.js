// #region find
/** Pass it as `findAttempt`, with `launchIdField: "launch"`. */
export async function findAttempt(launchId) {
  const response = await fetch(`/launches/${launchId}`, { cache: "no-store" });
  return response.ok ? (await response.json()).attempt : null;
}
// #endregion find
