import { DatabaseSync } from "node:sqlite";
import type { ContentItem, SavedPoller, SubjectScope } from "@social-connect/sdk";

/**
 * - `active`: refreshed when it is due.
 * - `paused`: cannot be read now; checked again when it is due.
 * - `needs-person`: not read until the user has connected it again.
 */
export type ConnectionState = "active" | "paused" | "needs-person";

export interface KnownConnection {
  readonly id: string;
  readonly scope: SubjectScope;
  readonly provider: string;
  readonly state: ConnectionState;
  /** When to refresh next, in milliseconds. */
  readonly dueMs: number;
  readonly failures: number;
  /** A refresh that was started and not seen to its end, as its poller's JSON: ids, no secret. */
  readonly saved: SavedPoller<"refresh"> | null;
  /** Why the last refresh did not cover its window, or did not succeed. */
  readonly note: string | null;
}

export type ConnectionChange = Partial<Pick<KnownConnection, "state" | "dueMs" | "failures" | "saved" | "note">>;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS subject (
    tenant_key TEXT NOT NULL,
    external_subject_id TEXT NOT NULL,
    due_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant_key, external_subject_id)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS connection (
    id TEXT PRIMARY KEY,
    tenant_key TEXT NOT NULL,
    external_subject_id TEXT NOT NULL,
    provider TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'active',
    due_ms INTEGER NOT NULL,
    failures INTEGER NOT NULL DEFAULT 0,
    saved TEXT,
    note TEXT
  ) STRICT;
  CREATE TABLE IF NOT EXISTS post (
    connection_id TEXT NOT NULL REFERENCES connection (id) ON DELETE CASCADE,
    provider_content_id TEXT NOT NULL,
    observed_at TEXT NOT NULL,
    content TEXT NOT NULL,
    PRIMARY KEY (connection_id, provider_content_id)
  ) STRICT;
`;

/** The worker's memory: a file that outlives it. In an application these would be tables beside its own. */
export class Store {
  readonly #database: DatabaseSync;

  /** `path`: a file, or `:memory:`. */
  constructor(path: string) {
    this.#database = new DatabaseSync(path);
    this.#database.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON;");
    this.#database.exec(SCHEMA);
  }

  addSubject({ tenantKey, externalSubjectId }: SubjectScope): void {
    this.#database
      .prepare("INSERT INTO subject VALUES (?, ?, 0) ON CONFLICT DO NOTHING")
      .run(tenantKey, externalSubjectId);
  }

  /** Subjects whose connections are due to be listed. */
  dueSubjects(nowMs: number): readonly SubjectScope[] {
    const rows = this.#database.prepare("SELECT * FROM subject WHERE due_ms <= ? ORDER BY due_ms").all(nowMs);
    return rows.map((row) => scopeOf(row));
  }

  deferSubject({ tenantKey, externalSubjectId }: SubjectScope, dueMs: number): void {
    this.#database
      .prepare("UPDATE subject SET due_ms = ? WHERE tenant_key = ? AND external_subject_id = ?")
      .run(dueMs, tenantKey, externalSubjectId);
  }

  /** A new connection is due immediately; a known one is unchanged. */
  addConnection(id: string, { tenantKey, externalSubjectId }: SubjectScope, provider: string, nowMs: number): void {
    this.#database
      .prepare(
        "INSERT INTO connection (id, tenant_key, external_subject_id, provider, due_ms) VALUES (?, ?, ?, ?, ?) " +
          "ON CONFLICT DO NOTHING",
      )
      .run(id, tenantKey, externalSubjectId, provider, nowMs);
  }

  connections(): readonly KnownConnection[] {
    return this.#database.prepare("SELECT * FROM connection ORDER BY due_ms, id").all().map(connectionOf);
  }

  connection(id: string): KnownConnection | undefined {
    const row = this.#database.prepare("SELECT * FROM connection WHERE id = ?").get(id);
    return row === undefined ? undefined : connectionOf(row);
  }

  /** Connections that are due, longest waiting first. */
  dueConnections(nowMs: number): readonly KnownConnection[] {
    return this.#database
      .prepare("SELECT * FROM connection WHERE due_ms <= ? AND state <> 'needs-person' ORDER BY due_ms, id")
      .all(nowMs)
      .map(connectionOf);
  }

  changeConnection(id: string, change: ConnectionChange): void {
    const known = this.connection(id);
    if (known === undefined) return;
    const { state, dueMs, failures, saved, note } = { ...known, ...change };
    this.#database
      .prepare("UPDATE connection SET state = ?, due_ms = ?, failures = ?, saved = ?, note = ? WHERE id = ?")
      .run(state, dueMs, failures, saved === null ? null : JSON.stringify(saved), note, id);
  }

  /** Deletes a connection and everything that was read through it, for example after a disconnect. */
  removeConnection(id: string): void {
    this.#database.prepare("DELETE FROM connection WHERE id = ?").run(id);
  }

  keepPosts(connectionId: string, posts: readonly ContentItem[]): void {
    const keep = this.#database.prepare(
      "INSERT INTO post VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET observed_at = excluded.observed_at, content = excluded.content",
    );
    for (const post of posts) keep.run(connectionId, post.providerContentId, post.observedAt, JSON.stringify(post));
  }

  posts(connectionId: string): readonly ContentItem[] {
    return this.#database
      .prepare("SELECT content FROM post WHERE connection_id = ?")
      .all(connectionId)
      .map((row) => JSON.parse(String(row["content"])) as ContentItem);
  }

  /** The service calls a post expired that was last seen before this time; so does a copy of it. */
  removePostsSeenBefore(observedAt: string): void {
    this.#database.prepare("DELETE FROM post WHERE observed_at < ?").run(observedAt);
  }

  /** The next time at which anything is due; null when nothing ever is. */
  nextDueMs(): number | null {
    const row = this.#database
      .prepare(
        "SELECT min(due_ms) AS due FROM (SELECT due_ms FROM subject UNION ALL " +
          "SELECT due_ms FROM connection WHERE state <> 'needs-person')",
      )
      .get();
    return typeof row?.["due"] === "number" ? row["due"] : null;
  }

  close(): void {
    this.#database.close();
  }
}

type Row = Readonly<Record<string, unknown>>;

function scopeOf(row: Row): SubjectScope {
  return { tenantKey: String(row["tenant_key"]), externalSubjectId: String(row["external_subject_id"]) };
}

function connectionOf(row: Row): KnownConnection {
  return {
    id: String(row["id"]),
    scope: scopeOf(row),
    provider: String(row["provider"]),
    state: row["state"] as ConnectionState,
    dueMs: Number(row["due_ms"]),
    failures: Number(row["failures"]),
    saved: row["saved"] === null ? null : (JSON.parse(String(row["saved"])) as SavedPoller<"refresh">),
    note: row["note"] === null ? null : String(row["note"]),
  };
}
