ALTER TABLE "revoke_settlement" DROP CONSTRAINT "revoke_settlement_pkey",
ADD CONSTRAINT "revoke_settlement_pkey" PRIMARY KEY USING INDEX "revoke_settlement_new_pkey";
