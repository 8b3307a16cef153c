-- AlterTable
ALTER TABLE "identity_attempt" ADD COLUMN     "redeem_key_hash" BYTEA;
