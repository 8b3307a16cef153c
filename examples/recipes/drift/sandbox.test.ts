// #region drift
import assert from "node:assert/strict";
import { test } from "node:test";
import { checkDrift, driftText } from "@social-connect/mocks/drift";

const { SOCIAL_CONNECT_URL: url, SOCIAL_CONNECT_KEY: key = "" } = process.env;

test("the sandbox does as the mocks do", { skip: url === undefined && "no sandbox was named" }, async () => {
  const report = await checkDrift({ url: url ?? "", key });
  assert.equal(report.hasDrift, false, driftText(report));
});
// #endregion drift
