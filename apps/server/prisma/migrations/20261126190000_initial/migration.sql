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
CREATE TYPE "wait_reason" AS ENUM ('RATE_LIMITED', 'QUOTA', 'PROVIDER_UNAVAILABLE', 'PAUSED', 'BEHIND_OTHER_WORK', 'SERVICE_FAULT');

-- CreateEnum
CREATE TYPE "identity_attempt_status" AS ENUM ('PENDING', 'COMPLETED', 'DENIED', 'FAILED', 'EXPIRED');

-- CreateEnum
CREATE TYPE "registration_status" AS ENUM ('DRAFT', 'PUBLISHED', 'PAUSED', 'DISABLED');

-- CreateEnum
CREATE TYPE "grant_status" AS ENUM ('PENDING', 'ACTIVE', 'GONE');

-- CreateEnum
CREATE TYPE "admin_key_scope" AS ENUM ('READ', 'WRITE');

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
    "logo" TEXT,
    "brand_color" TEXT,
    "support_address" TEXT,
    "privacy_url" TEXT,
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
    "quota" JSONB,
    "capabilities" "capability"[],
    "all_applications" BOOLEAN NOT NULL DEFAULT false,
    "refused_since" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_registration_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "provider_quota" (
    "registration_id" UUID NOT NULL,
    "budget" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "window_ends_at" TIMESTAMPTZ(3) NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "provider_quota_pkey" PRIMARY KEY ("registration_id","budget","window_start")
);

-- CreateTable
CREATE TABLE "provider_quota_use" (
    "registration_id" UUID NOT NULL,
    "budget" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "application_id" UUID NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "provider_quota_use_pkey" PRIMARY KEY ("registration_id","budget","window_start","application_id")
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
    "external_subject_id" TEXT COLLATE "C" NOT NULL,
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
    "exchange_generation" BIGINT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "result_expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connect_attempt_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "connection" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT COLLATE "C" NOT NULL,
    "provider" "social_provider" NOT NULL,
    "registration_id" UUID NOT NULL,
    "provider_account_id" TEXT NOT NULL,
    "live_account_id" TEXT,
    "provider_user_key" TEXT,
    "status" "connection_status" NOT NULL,
    "sync_status" "sync_status" NOT NULL,
    "scan_error_code" TEXT,
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
    "unreadable_since" TIMESTAMPTZ(3),
    "suspended_by_job_id" UUID,
    "app_removed_at" TIMESTAMPTZ(3),
    "revoke_job_id" UUID,
    "erase_job_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "connection_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "provider_grant" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "registration_id" UUID NOT NULL,
    "attempt_id" UUID,
    "connection_id" UUID,
    "status" "grant_status" NOT NULL,
    "access_token_sealed" TEXT NOT NULL,
    "refresh_token_sealed" TEXT,
    "access_token_expires_at" TIMESTAMPTZ(3),
    "refresh_token_expires_at" TIMESTAMPTZ(3),
    "version" INTEGER NOT NULL DEFAULT 1,
    "owner_sealed" TEXT,
    "renewal_started_at" TIMESTAMPTZ(3),
    "renewal_unanswered" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "updated_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "provider_grant_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "content_item" (
    "id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
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
    "observed_since" TIMESTAMPTZ(3) NOT NULL DEFAULT '-infinity'::timestamp with time zone,

    CONSTRAINT "content_item_pkey" PRIMARY KEY ("id","application_id")
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
    "wait_reason" "wait_reason",
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
    "correlation_id" UUID,
    "trace_parent" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "started_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "job_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "revoke_settlement" (
    "revoke_job_id" UUID NOT NULL,
    "application_id" UUID NOT NULL,
    "tenant_key" TEXT NOT NULL,
    "external_subject_id" TEXT COLLATE "C" NOT NULL,
    "provider" "social_provider" NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "revoke_settlement_pkey" PRIMARY KEY ("revoke_job_id","application_id")
);

-- CreateTable
CREATE TABLE "provider_revocation" (
    "revocation_id" UUID NOT NULL,
    "key_hash" BYTEA NOT NULL,
    "application_id" UUID NOT NULL,
    "provider" "social_provider" NOT NULL,
    "generation" BIGSERIAL NOT NULL,
    "ended_at" TIMESTAMPTZ(3),

    CONSTRAINT "provider_revocation_pkey" PRIMARY KEY ("revocation_id","key_hash","application_id")
);

-- CreateTable
CREATE TABLE "data_deletion" (
    "id" UUID NOT NULL,
    "code_hash" BYTEA NOT NULL,
    "provider" "social_provider" NOT NULL,
    "unfinished" JSONB NOT NULL,
    "connections" INTEGER NOT NULL DEFAULT 0,
    "posts" INTEGER NOT NULL DEFAULT 0,
    "app_may_remain" BOOLEAN NOT NULL DEFAULT false,
    "requested_at" TIMESTAMPTZ(3) NOT NULL,
    "erased_at" TIMESTAMPTZ(3),
    "finished_at" TIMESTAMPTZ(3),

    CONSTRAINT "data_deletion_pkey" PRIMARY KEY ("id")
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
    "redeem_key_hash" BYTEA,
    "redeemed_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "result_expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "identity_attempt_pkey" PRIMARY KEY ("id","application_id")
);

-- CreateTable
CREATE TABLE "sweep_state" (
    "name" TEXT NOT NULL,
    "ran_at" TIMESTAMPTZ(3) NOT NULL,
    "succeeded_at" TIMESTAMPTZ(3),
    "failed_at" TIMESTAMPTZ(3),
    "error" TEXT,
    "handled" INTEGER NOT NULL,
    "remaining" INTEGER,

    CONSTRAINT "sweep_state_pkey" PRIMARY KEY ("name")
);

-- CreateTable
CREATE TABLE "rollup" (
    "series" TEXT NOT NULL,
    "seconds" INTEGER NOT NULL,
    "owner_id" UUID NOT NULL,
    "starts_at" TIMESTAMPTZ(3) NOT NULL,
    "provider" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "rollup_pkey" PRIMARY KEY ("series","seconds","owner_id","starts_at","provider","kind","outcome","code")
);

-- CreateTable
CREATE TABLE "rollup_writer" (
    "id" UUID NOT NULL,
    "batch" INTEGER NOT NULL,
    "written_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "rollup_writer_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "encryption_key_check" (
    "key_id" TEXT NOT NULL,
    "sealed" TEXT NOT NULL,
    "first_used_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "encryption_key_check_pkey" PRIMARY KEY ("key_id")
);

-- CreateTable
CREATE TABLE "clock_offset" (
    "id" INTEGER NOT NULL,
    "offset_ms" BIGINT NOT NULL,

    CONSTRAINT "clock_offset_pkey" PRIMARY KEY ("id")
);

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
CREATE UNIQUE INDEX "application_slug_key" ON "application"("slug");

-- CreateIndex
CREATE INDEX "application_key_application_id_idx" ON "application_key"("application_id");

-- CreateIndex
CREATE INDEX "provider_registration_provider_status_idx" ON "provider_registration"("provider", "status");

-- CreateIndex
CREATE INDEX "provider_quota_window_ends_at_idx" ON "provider_quota"("window_ends_at");

-- CreateIndex
CREATE INDEX "provider_quota_use_application_id_idx" ON "provider_quota_use"("application_id");

-- CreateIndex
CREATE INDEX "registration_application_application_id_idx" ON "registration_application"("application_id");

-- CreateIndex
CREATE INDEX "connect_attempt_application_id_tenant_key_external_subject__idx" ON "connect_attempt"("application_id", "tenant_key", "external_subject_id", "provider", "created_at");

-- CreateIndex
CREATE INDEX "connect_attempt_external_subject_id_application_id_tenant_k_idx" ON "connect_attempt"("external_subject_id", "application_id", "tenant_key");

-- CreateIndex
CREATE INDEX "connect_attempt_reconnect_connection_id_idx" ON "connect_attempt"("reconnect_connection_id");

-- CreateIndex
CREATE INDEX "connect_attempt_result_expires_at_idx" ON "connect_attempt"("result_expires_at");

-- CreateIndex
CREATE INDEX "connect_attempt_status_expires_at_idx" ON "connect_attempt"("status", "expires_at");

-- CreateIndex
CREATE UNIQUE INDEX "connect_attempt_launch_token_hash_application_id_key" ON "connect_attempt"("launch_token_hash", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "connect_attempt_state_hash_application_id_key" ON "connect_attempt"("state_hash", "application_id");

-- CreateIndex
CREATE INDEX "connection_application_id_tenant_key_external_subject_id_cr_idx" ON "connection"("application_id", "tenant_key", "external_subject_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_external_subject_id_application_id_tenant_key_idx" ON "connection"("external_subject_id", "application_id", "tenant_key");

-- CreateIndex
CREATE INDEX "connection_application_id_provider_provider_user_key_idx" ON "connection"("application_id", "provider", "provider_user_key");

-- CreateIndex
CREATE INDEX "connection_provider_provider_account_id_idx" ON "connection"("provider", "provider_account_id");

-- CreateIndex
CREATE INDEX "connection_list_idx" ON "connection"("provider", "status", "sync_status", "scan_error_code", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_list_of_application_idx" ON "connection"("application_id", "provider", "status", "sync_status", "scan_error_code", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_list_of_tenant_idx" ON "connection"("application_id", "tenant_key", "provider", "status", "sync_status", "scan_error_code", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_list_of_registration_idx" ON "connection"("registration_id", "status", "sync_status", "scan_error_code", "created_at", "id");

-- CreateIndex
CREATE INDEX "connection_suspended_by_job_id_idx" ON "connection"("suspended_by_job_id");

-- CreateIndex
CREATE INDEX "connection_next_scan_at_idx" ON "connection"("next_scan_at");

-- CreateIndex
CREATE INDEX "connection_next_profile_at_idx" ON "connection"("next_profile_at");

-- CreateIndex
CREATE INDEX "connection_profile_observed_at_idx" ON "connection"("profile_observed_at");

-- CreateIndex
CREATE UNIQUE INDEX "connection_application_id_tenant_key_external_subject_id_pr_key" ON "connection"("application_id", "tenant_key", "external_subject_id", "provider", "live_account_id");

-- CreateIndex
CREATE INDEX "provider_grant_status_created_at_idx" ON "provider_grant"("status", "created_at");

-- CreateIndex
CREATE INDEX "provider_grant_refresh_token_expires_at_idx" ON "provider_grant"("refresh_token_expires_at") WHERE (refresh_token_expires_at IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "provider_grant_attempt_id_application_id_key" ON "provider_grant"("attempt_id", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "provider_grant_connection_id_application_id_key" ON "provider_grant"("connection_id", "application_id");

-- CreateIndex
CREATE INDEX "content_item_connection_id_published_at_id_idx" ON "content_item"("connection_id", "published_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "content_item_open_observed_since_idx" ON "content_item"("observed_since") WHERE (reason IS DISTINCT FROM 'EXPIRED');

-- CreateIndex
CREATE INDEX "content_item_open_connection_id_observed_since_idx" ON "content_item"("connection_id", "observed_since") WHERE (reason IS DISTINCT FROM 'EXPIRED');

-- CreateIndex
CREATE INDEX "content_item_expired_connection_id_observed_since_idx" ON "content_item"("connection_id", "observed_since") WHERE (reason = 'EXPIRED');

-- CreateIndex
CREATE UNIQUE INDEX "content_item_connection_id_provider_content_id_application__key" ON "content_item"("connection_id", "provider_content_id", "application_id");

-- CreateIndex
CREATE INDEX "job_connection_id_kind_created_at_idx" ON "job"("connection_id", "kind", "created_at");

-- CreateIndex
CREATE INDEX "job_application_id_status_idx" ON "job"("application_id", "status");

-- CreateIndex
CREATE INDEX "job_status_next_retry_at_created_at_idx" ON "job"("status", "next_retry_at", "created_at");

-- CreateIndex
CREATE INDEX "job_created_at_idx" ON "job"("created_at");

-- CreateIndex
CREATE INDEX "job_erase_application_id_created_at_idx" ON "job"("application_id", "created_at") WHERE (kind = 'ERASE');

-- CreateIndex
CREATE INDEX "job_correlation_id_idx" ON "job"("correlation_id") WHERE (correlation_id IS NOT NULL);

-- CreateIndex
CREATE INDEX "revoke_settlement_application_id_tenant_key_external_subjec_idx" ON "revoke_settlement"("application_id", "tenant_key", "external_subject_id", "provider");

-- CreateIndex
CREATE INDEX "provider_revocation_key_hash_idx" ON "provider_revocation"("key_hash");

-- CreateIndex
CREATE INDEX "provider_revocation_application_id_provider_generation_idx" ON "provider_revocation"("application_id", "provider", "generation");

-- CreateIndex
CREATE INDEX "provider_revocation_ended_at_idx" ON "provider_revocation"("ended_at");

-- CreateIndex
CREATE UNIQUE INDEX "data_deletion_code_hash_key" ON "data_deletion"("code_hash");

-- CreateIndex
CREATE INDEX "data_deletion_requested_at_id_idx" ON "data_deletion"("requested_at", "id");

-- CreateIndex
CREATE INDEX "data_deletion_unfinished_idx" ON "data_deletion"("requested_at", "id") WHERE (finished_at IS NULL);

-- CreateIndex
CREATE INDEX "identity_attempt_application_id_status_expires_at_idx" ON "identity_attempt"("application_id", "status", "expires_at");

-- CreateIndex
CREATE INDEX "identity_attempt_status_expires_at_idx" ON "identity_attempt"("status", "expires_at");

-- CreateIndex
CREATE INDEX "identity_attempt_result_expires_at_idx" ON "identity_attempt"("result_expires_at");

-- CreateIndex
CREATE INDEX "identity_attempt_repeatable_redeemed_at_idx" ON "identity_attempt"("redeemed_at") WHERE (redeem_key_hash IS NOT NULL);

-- CreateIndex
CREATE UNIQUE INDEX "identity_attempt_launch_token_hash_application_id_key" ON "identity_attempt"("launch_token_hash", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "identity_attempt_state_hash_application_id_key" ON "identity_attempt"("state_hash", "application_id");

-- CreateIndex
CREATE INDEX "rollup_seconds_starts_at_idx" ON "rollup"("seconds", "starts_at");

-- CreateIndex
CREATE INDEX "rollup_writer_written_at_idx" ON "rollup_writer"("written_at");

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

-- CreateIndex
CREATE INDEX "audit_entry_actor_at_id_idx" ON "audit_entry"("actor", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_target_id_at_id_idx" ON "audit_entry"("target_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "audit_entry_target_type_at_id_idx" ON "audit_entry"("target_type", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "application_key" ADD CONSTRAINT "application_key_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tester" ADD CONSTRAINT "tester_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_quota" ADD CONSTRAINT "provider_quota_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_quota_use" ADD CONSTRAINT "provider_quota_use_registration_id_budget_window_start_fkey" FOREIGN KEY ("registration_id", "budget", "window_start") REFERENCES "provider_quota"("registration_id", "budget", "window_start") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_quota_use" ADD CONSTRAINT "provider_quota_use_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registration_application" ADD CONSTRAINT "registration_application_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "registration_application" ADD CONSTRAINT "registration_application_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connect_attempt" ADD CONSTRAINT "connect_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "connect_attempt" ADD CONSTRAINT "connect_attempt_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "connection" ADD CONSTRAINT "connection_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_registration_id_fkey" FOREIGN KEY ("registration_id") REFERENCES "provider_registration"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_attempt_id_application_id_fkey" FOREIGN KEY ("attempt_id", "application_id") REFERENCES "connect_attempt"("id", "application_id") ON DELETE SET NULL ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "provider_grant" ADD CONSTRAINT "provider_grant_connection_id_application_id_fkey" FOREIGN KEY ("connection_id", "application_id") REFERENCES "connection"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "content_item" ADD CONSTRAINT "content_item_connection_id_application_id_fkey" FOREIGN KEY ("connection_id", "application_id") REFERENCES "connection"("id", "application_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "job" ADD CONSTRAINT "job_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "provider_revocation" ADD CONSTRAINT "provider_revocation_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "identity_attempt" ADD CONSTRAINT "identity_attempt_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "admin_api_key" ADD CONSTRAINT "admin_api_key_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "admin_member"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_session" ADD CONSTRAINT "admin_session_member_id_fkey" FOREIGN KEY ("member_id") REFERENCES "admin_member"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "admin_sign_in" ADD CONSTRAINT "admin_sign_in_session_id_fkey" FOREIGN KEY ("session_id") REFERENCES "admin_session"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- Prisma does not know what follows.

-- Only the attempt goes: the grant stays with its application.
ALTER TABLE "provider_grant" DROP CONSTRAINT "provider_grant_attempt_id_application_id_fkey",
ADD CONSTRAINT "provider_grant_attempt_id_application_id_fkey" FOREIGN KEY ("attempt_id", "application_id") REFERENCES "connect_attempt"("id", "application_id") ON DELETE SET NULL ("attempt_id") ON UPDATE NO ACTION;

ALTER TABLE "content_item" ADD CONSTRAINT "content_item_observed_since_check" CHECK ("observed_since" <= "observed_at");

-- The list of connections looks for codes only there.
ALTER TABLE "connection" ADD CONSTRAINT "connection_scan_error_code_check" CHECK ("scan_error_code" IS NULL OR "sync_status" = 'FAILED');

-- A scan writes all posts of an account in one transaction, so a page needs room for a second, slightly longer
-- version of each of its rows.
ALTER TABLE "content_item" SET (fillfactor = 48, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02);

-- Room in each page for the next version of a row, which then changes no index.
ALTER TABLE "connection" SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "provider_grant" SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
ALTER TABLE "provider_quota" SET (fillfactor = 90, autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);

-- Every change of a job's status changes an index, so the table needs frequent vacuuming and no room.
ALTER TABLE "job" SET (autovacuum_vacuum_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05);
