/** Where an application runs and whom it serves: entries of its client's lists. */
export interface ClientEntries {
  readonly origins: readonly string[];
  readonly returnUrls: readonly string[];
  readonly identityReturnUrls: readonly string[];
  readonly tenantKeys: readonly string[];
}

export const NO_ENTRIES: ClientEntries = { origins: [], returnUrls: [], identityReturnUrls: [], tenantKeys: [] };

export function isEmpty(entries: ClientEntries): boolean {
  return Object.values(entries).every((list) => list.length === 0);
}
