-- AlterTable
ALTER TABLE "provider_registration" ADD COLUMN     "refused_since" TIMESTAMPTZ(3);
