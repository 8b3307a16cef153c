-- AlterTable
ALTER TABLE "audit_entry" ADD COLUMN     "changes" JSONB;
