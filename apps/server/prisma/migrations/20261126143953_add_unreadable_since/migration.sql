-- AlterTable
ALTER TABLE "connection" ADD COLUMN     "unreadable_since" TIMESTAMPTZ(3);
