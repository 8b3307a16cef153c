-- AlterTable
ALTER TABLE "job" ADD COLUMN     "correlation_id" UUID,
ADD COLUMN     "trace_parent" TEXT;
