const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id when it can name a record, in lower case; null when it cannot, which is answered as an unknown id is. */
export function asUuid(id: string): string | null {
  return UUID.test(id) ? id.toLowerCase() : null;
}
