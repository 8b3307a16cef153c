interface Needed {
  /** Its name in PostgreSQL's catalogues. */
  readonly name: string;
  readonly reason: string;
  /** Drops it, if it still exists. */
  readonly drop: string;
}

/**
 * What the database contains only for statements of the previous release, so schema.prisma does not declare it. A migration of the next
 * release drops it. A distributed table must not have any of it, so `distribute` drops it too: run it when
 * no process of the previous release is left.
 */
export const NEEDED_BY_PREVIOUS_RELEASE: readonly Needed[] = [
  {
    name: "content_item_connection_id_provider_content_id_key",
    reason: "stores posts ON CONFLICT (connection_id, provider_content_id)",
    drop: "DROP INDEX IF EXISTS content_item_connection_id_provider_content_id_key",
  },
  {
    name: "provider_revocation_revocation_id_key_hash_key",
    reason: "stores revocations ON CONFLICT (revocation_id, key_hash)",
    drop: "DROP INDEX IF EXISTS provider_revocation_revocation_id_key_hash_key",
  },
  {
    name: "content_item_application_id",
    reason: "inserts posts without application_id",
    drop: "DROP TRIGGER IF EXISTS content_item_application_id ON content_item; DROP FUNCTION IF EXISTS content_item_application_id()",
  },
  {
    name: "provider_grant_application_id",
    reason: "inserts grants without application_id",
    drop: "DROP TRIGGER IF EXISTS provider_grant_application_id ON provider_grant; DROP FUNCTION IF EXISTS provider_grant_application_id()",
  },
];
