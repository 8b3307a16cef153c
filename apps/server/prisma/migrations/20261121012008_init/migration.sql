-- CreateSchema
CREATE SCHEMA IF NOT EXISTS "public";

-- CreateEnum
CREATE TYPE "social_provider" AS ENUM ('PROVIDER_A', 'PROVIDER_B', 'PROVIDER_C');

-- CreateEnum
CREATE TYPE "capability" AS ENUM ('PROFILE', 'CONTENT_LIST', 'CONTENT_LOOKUP', 'CONTENT_METRICS');

-- CreateEnum
CREATE TYPE "availability" AS ENUM ('AVAILABLE', 'UNSUPPORTED', 'NOT_GRANTED', 'UNAVAILABLE');

-- CreateEnum
CREATE TYPE "content_kind" AS ENUM ('VIDEO', 'IMAGE', 'CAROUSEL', 'UNKNOWN');

-- CreateEnum
CREATE TYPE "creator_action" AS ENUM ('REMOVE_APP_AT_PROVIDER');

-- CreateEnum
CREATE TYPE "connect_attempt_status" AS ENUM ('CREATED', 'AUTHORIZING', 'EXCHANGING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED', 'CANCELED');

-- CreateEnum
CREATE TYPE "connection_status" AS ENUM ('CONNECTED', 'SUSPENDED', 'RECONNECT_REQUIRED', 'DISCONNECTED', 'DELETING');

-- CreateEnum
CREATE TYPE "sync_status" AS ENUM ('PENDING', 'RUNNING', 'READY', 'PARTIAL', 'STALE', 'FAILED');

-- CreateEnum
CREATE TYPE "job_kind" AS ENUM ('SCAN', 'METRICS', 'LOOKUP', 'PROFILE', 'RECHECK', 'REVOKE', 'ERASE');

-- CreateEnum
CREATE TYPE "job_status" AS ENUM ('QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELED');

-- CreateEnum
CREATE TYPE "identity_attempt_status" AS ENUM ('PENDING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "registration_status" AS ENUM ('DRAFT', 'PUBLISHED', 'PAUSED', 'DISABLED');

-- CreateEnum
CREATE TYPE "grant_status" AS ENUM ('PENDING', 'ACTIVE', 'GONE');

-- CreateTable
CREATE TABLE "application" (
    "id" UUID NOT NULL,
    "slug" TEXT NOT NULL,
    "display_name" TEXT NOT NULL,
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "web_origins" TEXT[],
    "return_urls" TEXT[],
    "identity_return_urls" TEXT[],
    "providers" "social_provider"[],
    "capabilities" "capability"[],
    "tenant_keys" TEXT[],
    "preview_origins_enabled" BOOLEAN NOT NULL DEFAULT false,
    "preview_return_paths" TEXT[],
    "idp_identity_enabled" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "application_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "application_key" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "secret_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),

    CONSTRAINT "application_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tester" (
    "application_id" UUID NOT NULL,
    "provider" "social_provider" NOT NULL,
    "provider_account_id" TEXT NOT NULL,

    CONSTRAINT "tester_pkey" PRIMARY KEY ("application_id","provider","provider_account_id")
);

-- CreateTable
CREATE TABLE "provider_registration" (
    "id" UUID NOT NULL,
    "provider" "social_provider" NOT NULL,
    "status" "registration_status" NOT NULL,
    "client_id" TEXT NOT NULL,
    "client_secret_sealed" TEXT NOT NULL,
    "addresses" JSONB NOT NULL,
    "scopes" JSONB NOT NULL,
    "capabilities" "capability"[],
    "all_applications" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_registration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "registration_application" (
    "registration_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,

    CONSTRAINT "registration_application_pkey" PRIMARY KEY ("registration_id","application_id")
);

-- CreateTable
CREATE TABLE "connect_attempt" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT NOT NULL,
    "provider" "social_provider" NOT NULL,
    "registration_id" UUID NOT NULL,
    "capabilities" "capability"[],
    "return_url" TEXT NOT NULL,
    "reconnect_connection_id" UUID,
    "status" "connect_attempt_status" NOT NULL,
    "result_code" TEXT,
    "connection_id" UUID,
    "creator_action" "creator_action",
    "launch_token_hash" BYTEA NOT NULL,
    "browser_hash" BYTEA,
    "state_hash" BYTEA,
    "code_verifier_sealed" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "result_expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connect_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "connection" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT NOT NULL,
    "provider" "social_provider" NOT NULL,
    "registration_id" UUID NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "live_account_id" TEXT,
    "provider_user_key" TEXT,
    "status" "connection_status" NOT NULL,
    "sync_status" "sync_status" NOT NULL,
    "capabilities" "capability"[],
    "display_name" TEXT,
    "handle" TEXT,
    "avatar_url" TEXT,
    "profile_url" TEXT,
    "description" TEXT,
    "profile_observed_at" TIMESTAMPTZ(3),
    "last_successful_sync_at" TIMESTAMPTZ(3),
    "next_retry_at" TIMESTAMPTZ(3),
    "next_scan_at" TIMESTAMPTZ(3),
    "next_profile_at" TIMESTAMPTZ(3),
    "suspended_by_job_id" UUID,
    "app_removed_at" TIMESTAMPTZ(3),
    "revoke_job_id" UUID,
    "erase_job_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_grant" (
    "id" UUID NOT NULL,
    "registration_id" UUID NOT NULL,
    "attempt_id" UUID,
    "connection_id" UUID,
    "status" "grant_status" NOT NULL,
    "access_token_sealed" TEXT NOT NULL,
    "refresh_token_sealed" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "renewal_started_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_grant_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "content_item" (
    "id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "provider_content_id" TEXT NOT NULL,
    "kind" "content_kind" NOT NULL,
    "canonical_url" TEXT,
    "thumbnail_url" TEXT,
    "title" TEXT,
    "description" TEXT,
    "published_at" TIMESTAMPTZ(3),
    "availability" "availability" NOT NULL,
    "reason" TEXT,
    "observed_at" TIMESTAMPTZ(3) NOT NULL,
    "metrics" JSONB NOT NULL,
    "metrics_observed_at" TIMESTAMPTZ(3),

    CONSTRAINT "content_item_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "job" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "connection_id" UUID NOT NULL,
    "scope_hash" BYTEA NOT NULL,
    "provider" "social_provider" NOT NULL,
    "kind" "job_kind" NOT NULL,
    "status" "job_status" NOT NULL,
    "background" BOOLEAN NOT NULL DEFAULT false,
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "next_retry_at" TIMESTAMPTZ(3),
    "error_code" TEXT,
    "creator_action" "creator_action",
    "window_after" TIMESTAMPTZ(3),
    "window_before" TIMESTAMPTZ(3),
    "window_is_default" BOOLEAN NOT NULL DEFAULT false,
    "max_items" INTEGER,
    "provider_cursor" TEXT,
    "items_observed" INTEGER NOT NULL DEFAULT 0,
    "covered_since" TIMESTAMPTZ(3),
    "continues_job_id" UUID,
    "target_content_id" TEXT,
    "lookup_target" TEXT,
    "result_provider_content_id" TEXT,
    "complete_for_window" BOOLEAN,
    "incomplete_reason" TEXT,
    "deleted_counts" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revoke_settlement" (
    "revoke_job_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT NOT NULL,
    "provider" "social_provider" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoke_settlement_pkey" PRIMARY KEY ("revoke_job_id")
);

-- CreateTable
CREATE TABLE "identity_attempt" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "return_url" TEXT NOT NULL,
    "status" "identity_attempt_status" NOT NULL,
    "launch_token_hash" BYTEA NOT NULL,
    "result_proof_hash" BYTEA NOT NULL,
    "launched_at" TIMESTAMPTZ(3),
    "browser_hash" BYTEA,
    "state_hash" BYTEA,
    "exchange_sealed" TEXT,
    "result_sealed" TEXT,
    "redeemed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "result_expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_attempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clock_offset" (
    "id" INTEGER NOT NULL,
    "offset_ms" BIGINT NOT NULL,

    CONSTRAINT "clock_offset_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "application_slug_key" ON "application"("slug");

-- CreateIndex
CREATE INDEX "application_key_application_id_idx" ON "application_key"("application_id");

-- CreateIndex
CREATE INDEX "provider_registration_provider_status_idx" ON "provider_registration"("provider", "status");

-- CreateIndex
CREATE INDEX "registration_application_application_id_idx" ON "registration_application"("application_id");

-- CreateIndex
CREATE UNIQUE INDEX "connect_attempt_launch_token_hash_key" ON "connect_attempt"("launch_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "connect_attempt_state_hash_key" ON "connect_attempt"("state_hash");

-- CreateIndex
CREATE INDEX "connect_attempt_application_id_tenant_key_external_subject__idx" ON "connect_attempt"("application_id", "tenant_key", "external_subject_id", "provider", "created_at");

-- CreateIndex
CREATE INDEX "connect_attempt_reconnect_connection_id_idx" ON "connect_attempt"("reconnect_connection_id");

-- CreateIndex
CREATE INDEX "connect_attempt_result_expires_at_idx" ON "connect_attempt"("result_expires_at");

-- CreateIndex
CREATE INDEX "connection_application_id_tenant_key_external_subject_id_cr_idx" ON "connection"("application_id", "tenant_key", "external_subject_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_application_id_provider_provider_user_key_idx" ON "connection"("application_id", "provider", "provider_user_key");

-- CreateIndex
CREATE INDEX "connection_provider_provider_account_id_idx" ON "connection"("provider", "provider_account_id");

-- CreateIndex
CREATE INDEX "connection_suspended_by_job_id_idx" ON "connection"("suspended_by_job_id");

-- CreateIndex
CREATE INDEX "connection_next_scan_at_idx" ON "connection"("next_scan_at");

-- CreateIndex
CREATE INDEX "connection_next_profile_at_idx" ON "connection"("next_profile_at");

-- CreateIndex
CREATE UNIQUE INDEX "connection_application_id_tenant_key_external_subject_id_pr_key" ON "connection"("application_id", "tenant_key", "external_subject_id", "provider", "live_account_id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_grant_attempt_id_key" ON "provider_grant"("attempt_id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_grant_connection_id_key" ON "provider_grant"("connection_id");

-- CreateIndex
CREATE INDEX "content_item_connection_id_published_at_id_idx" ON "content_item"("connection_id", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "content_item_observed_at_idx" ON "content_item"("observed_at");

-- CreateIndex
CREATE UNIQUE INDEX "content_item_connection_id_provider_content_id_key" ON "content_item"("connection_id", "provider_content_id");

-- CreateIndex
CREATE INDEX "job_connection_id_kind_created_at_idx" ON "job"("connection_id", "kind", "created_at");

-- CreateIndex
CREATE INDEX "job_application_id_status_idx" ON "job"("application_id", "status");

-- CreateIndex
CREATE INDEX "job_status_next_retry_at_idx" ON "job"("status", "next_retry_at");

-- CreateIndex
CREATE INDEX "job_created_at_idx" ON "job"("created_at");

-- CreateIndex
CREATE INDEX "revoke_settlement_application_id_tenant_key_external_subjec_idx" ON "revoke_settlement"("application_id", "tenant_key", "external_subject_id", "provider");

-- CreateIndex
CREATE UNIQUE INDEX "identity_attempt_launch_token_hash_key" ON "identity_attempt"("launch_token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "identity_attempt_state_hash_key" ON "identity_attempt"("state_hash");

-- CreateIndex
CREATE INDEX "identity_attempt_application_id_status_expires_at_idx" ON "identity_attempt"("application_id", "status", "expires_at");

-- CreateIndex
CREATE INDEX "identity_attempt_result_expires_at_idx" ON "identity_attempt"("result_expires_at");

-- AddForeignKey
ALTER TABLE "application_key" ADD CONSTRAINT "application_key_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tester" ADD CONSTRAINT "tester_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registration_application" ADD CONSTRAINT "registration_application_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registration_application" ADD CONSTRAINT "registration_application_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_attempt" ADD CONSTRAINT "connect_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_attempt" ADD CONSTRAINT "connect_attempt_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_attempt_id_fkey" FOREIGN KEY ("attempt_id") REFERENCES "connect_attempt"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_connection_id_fkey" FOREIGN KEY ("connection_id") REFERENCES "connection"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "identity_attempt" ADD CONSTRAINT "identity_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
