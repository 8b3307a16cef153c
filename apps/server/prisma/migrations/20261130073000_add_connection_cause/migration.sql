-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "cause" TEXT,
ADD COLUMN     "cause_since" TIMESTAMPTZ(3);
