-- CreateIndex
CREATE INDEX "connection_registration_id_status_idx" ON "connection"("registration_id", "status");
