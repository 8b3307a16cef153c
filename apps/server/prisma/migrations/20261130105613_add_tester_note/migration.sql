-- AlterTable
ALTER TABLE "tester" ADD COLUMN     "note" TEXT;
