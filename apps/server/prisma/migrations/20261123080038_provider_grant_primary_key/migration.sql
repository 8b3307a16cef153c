ALTER TABLE "provider_grant" DROP CONSTRAINT "provider_grant_pkey",
ADD CONSTRAINT "provider_grant_pkey" PRIMARY KEY USING INDEX "provider_grant_new_pkey";
