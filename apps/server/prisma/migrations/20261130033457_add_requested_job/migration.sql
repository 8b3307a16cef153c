-- AlterTable
ALTER TABLE "job" ADD COLUMN     "requested" BOOLEAN NOT NULL DEFAULT false;
