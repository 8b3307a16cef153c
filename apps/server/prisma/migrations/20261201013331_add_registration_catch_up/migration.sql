-- AlterTable
ALTER TABLE "provider_registration" ADD COLUMN     "catch_up_since" TIMESTAMPTZ(3);
