-- AlterTable
ALTER TABLE "application" ADD COLUMN     "brand_color" TEXT,
ADD COLUMN     "logo" TEXT,
ADD COLUMN     "privacy_url" TEXT,
ADD COLUMN     "support_address" TEXT;
