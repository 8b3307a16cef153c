-- CreateTable
CREATE TABLE "provider_quota_use" (
    "registration_id" UUID NOT NULL,
    "budget" TEXT NOT NULL,
    "window_start" TIMESTAMPTZ(3) NOT NULL,
    "application_id" UUID NOT NULL,
    "used" INTEGER NOT NULL,

    CONSTRAINT "provider_quota_use_pkey" PRIMARY KEY ("registration_id","budget","window_start","application_id")
);

-- CreateIndex
CREATE INDEX "provider_quota_use_application_id_idx" ON "provider_quota_use"("application_id");

-- AddForeignKey
ALTER TABLE "provider_quota_use" ADD CONSTRAINT "provider_quota_use_registration_id_budget_window_start_fkey" FOREIGN KEY ("registration_id", "budget", "window_start") REFERENCES "provider_quota"("registration_id", "budget", "window_start") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "provider_quota_use" ADD CONSTRAINT "provider_quota_use_application_id_fkey" FOREIGN KEY ("application_id") REFERENCES "application"("id") ON DELETE CASCADE ON UPDATE CASCADE;
