export const APPLICATION = {
  id: "application-1",
  enabled: true,
  tenantKeys: ["tenant"],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"],
  webOrigins: ["https://app.example"],
  returnUrls: ["https://app.example/return"],
  previewOriginsEnabled: false,
  previewReturnPaths: [],
  identityReturnUrls: ["https://app.example/signed-in"],
  idpIdentityEnabled: true,
} as const;
