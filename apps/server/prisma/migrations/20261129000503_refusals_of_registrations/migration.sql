-- AlterTable
ALTER TABLE "provider_registration" ADD COLUMN     "call_refusals" JSONB NOT NULL DEFAULT '{}';
