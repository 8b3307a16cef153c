-- CreateEnum
CREATE TYPE "admin_key_scope" AS ENUM ('READ', 'WRITE');

-- CreateTable
CREATE TABLE "admin_member" (
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "added_at" TIMESTAMPTZ(3) NOT NULL,
    "added_by" TEXT NOT NULL,
    "bound_at" TIMESTAMPTZ(3),

    CONSTRAINT "admin_member_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "admin_api_key" (
    "id" UUID NOT NULL,
    "member_id" UUID,
    "created_by" TEXT NOT NULL,
    "issuer" TEXT,
    "subject" TEXT,
    "label" TEXT NOT NULL,
    "scope" "admin_key_scope" NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "revoked_at" TIMESTAMPTZ(3),
    "first_used_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "admin_api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "admin_session" (
    "id" UUID NOT NULL,
    "member_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "authenticated_at" TIMESTAMPTZ(3) NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "last_seen_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "admin_session_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "admin_sign_in" (
    "id" UUID NOT NULL,
    "session_id" UUID,
    "state_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA NOT NULL,
    "exchange_sealed" TEXT NOT NULL,
    "return_path" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "admin_sign_in_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "audit_entry" (
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" TEXT NOT NULL,
    "api_key_id" UUID,
    "action" TEXT NOT NULL,
    "target_type" TEXT NOT NULL,
    "target_id" TEXT NOT NULL,
    "client_slug" TEXT,
    "summary" TEXT NOT NULL,

    CONSTRAINT "audit_entry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "admin_member_email_key" ON "admin_member"("email");

-- CreateIndex
CREATE UNIQUE INDEX "admin_member_issuer_subject_key" ON "admin_member"("issuer", "subject");

-- CreateIndex
CREATE INDEX "admin_api_key_member_id_idx" ON "admin_api_key"("member_id");

-- CreateIndex
CREATE INDEX "admin_api_key_created_at_id_idx" ON "admin_api_key"("created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "admin_session_token_hash_key" ON "admin_session"("token_hash");

-- CreateIndex
CREATE INDEX "admin_session_member_id_idx" ON "admin_session"("member_id");

-- CreateIndex
CREATE INDEX "admin_session_expires_at_idx" ON "admin_session"("expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "admin_sign_in_state_hash_key" ON "admin_sign_in"("state_hash");

-- CreateIndex
CREATE INDEX "admin_sign_in_session_id_idx" ON "admin_sign_in"("session_id");

-- CreateIndex
CREATE INDEX "admin_sign_in_expires_at_idx" ON "admin_sign_in"("expires_at");

-- CreateIndex
CREATE INDEX "audit_entry_at_id_idx" ON "audit_entry"("at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_api_key_id_at_id_idx" ON "audit_entry"("api_key_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_client_slug_at_id_idx" ON "audit_entry"("client_slug", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_action_at_id_idx" ON "audit_entry"("action", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "admin_api_key" ADD CONSTRAINT "admin_api_key_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "admin_member"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_session" ADD CONSTRAINT "admin_session_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "admin_member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_sign_in" ADD CONSTRAINT "admin_sign_in_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "admin_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;
