/** The modules of pages that are loaded on demand, by path below `src`: start.ts loads their files with the panel's code. */
export const PAGE_MODULES: Readonly<Record<string, string>> = {
  "/clients": "pages/clientList/ClientsPage.tsx",
  "/connections": "pages/connections/ConnectionsPage.tsx",
  "/sdk-versions": "pages/sdkVersions/SdkVersionsPage.tsx",
  "/support": "pages/support/SupportPage.tsx",
  "/registrations": "pages/registrations/RegistrationsPage.tsx",
  "/api-keys": "pages/apiKeys/ApiKeysPage.tsx",
  "/admins": "pages/admins/AdminsPage.tsx",
  "/audit": "pages/audit/AuditPage.tsx",
  "/health": "pages/health/HealthPage.tsx",
};
