// #region quick-start
import { createAdmin, describePlan, describeResult } from "@social-connect/admin-sdk";

const admin = createAdmin({
  host: process.env.SOCIAL_CONNECT_ADMIN_HOST ?? "",
  key: process.env.SOCIAL_CONNECT_ADMIN_KEY ?? "",
  scope: "WRITE",
});

const plan = await admin.plan({
  slug: "my-shop",
  displayName: "My Shop",
  webOrigins: ["https://shop.example.com"],
  returnUrls: [
    // Set this only after you have checked that the route never redirects onward to an address taken from the request.
    { url: "https://shop.example.com/connected", confirmedNoOnwardRedirect: true },
  ],
  tenantKeys: ["acme"],
  providers: ["PROVIDER_A"],
  capabilities: ["PROFILE", "CONTENT_LIST"],
});
console.log(describePlan(plan));

console.log(describeResult(await admin.apply(plan)));
// #endregion quick-start
