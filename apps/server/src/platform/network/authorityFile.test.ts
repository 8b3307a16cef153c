import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "selfsigned";
import { afterAll, expect, it, onTestFinished, vi } from "vitest";
import { untrustedBecause } from "./authorityFile.ts";
import { createEgress } from "./egress.ts";

const folder = mkdtempSync(join(tmpdir(), "social-connect-authorities-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { cert, private: key } = await generate([{ name: "commonName", value: "Test authority" }], { keyType: "ec" });

it.each([
  ["is empty", "", /^holds no certificate/],
  ["is text", "see the wiki", /^holds no certificate/],
  ["holds a key", key, /^holds no certificate/],
  ["holds half of a certificate", cert.slice(0, 200), /^holds no certificate/],
  ["holds a damaged certificate", cert.replace(/\n[\w+/=]+\n-----END/, "\n-----END"), /^holds no certificate/],
  ["holds another authority's certificate", cert, /^does not hold that authority/],
  ["holds one after a key", `${key}${cert}`, /^does not hold that authority/],
  ["is missing", null, /^cannot be read/],
])("states the fault of a file of authorities that %s", (name, text, message) => {
  const file = join(folder, name.replaceAll(/\W/g, "-"));
  if (text !== null) writeFileSync(file, text);
  expect(untrustedBecause(file)).toMatch(message);
});

it("an outgoing request names the fault of the file in NODE_EXTRA_CA_CERTS", async () => {
  const file = join(folder, "extra");
  writeFileSync(file, "");
  vi.stubEnv("NODE_EXTRA_CA_CERTS", file);
  onTestFinished(() => void vi.unstubAllEnvs());
  const cause = Object.assign(new Error("x"), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
  const fetch = () => Promise.reject(new TypeError("fetch failed", { cause }));
  const egress = createEgress({ allowedOrigins: ["https://issuer.example.com"], fetch });
  await expect(egress("https://issuer.example.com/")).rejects.toThrow(
    "the file that NODE_EXTRA_CA_CERTS names holds no certificate; write the authority's certificate to it, as PEM, then restart",
  );
});
