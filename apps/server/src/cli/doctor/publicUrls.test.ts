import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { generate } from "selfsigned";
import { expect, onTestFinished, test } from "vitest";
import { readSettings } from "../../config/settings.ts";
import { checkPublicUrls } from "./publicUrls.ts";

const DAY = 86_400_000;

/** The service behind HTTPS at a certificate for a host. */
async function startHttps({
  host = "127.0.0.1",
  endsInDays = 90,
  sawHttps = true,
  isTrusted = true,
  stripsOrigin = false,
} = {}) {
  const { cert, private: key } = await generate([{ name: "commonName", value: "test" }], {
    keySize: 2_048,
    notBeforeDate: new Date(Date.now() - 365 * DAY),
    notAfterDate: new Date(Date.now() + endsInDays * DAY),
    extensions: [
      { name: "basicConstraints", cA: true },
      { name: "subjectAltName", altNames: [{ type: 7, ip: host }] },
    ],
  });
  if (isTrusted) {
    const before = getCACertificates("default");
    setDefaultCACertificates([...before, cert]);
    onTestFinished(() => setDefaultCACertificates(before));
  }
  const server = createServer({ key, cert }, (request, response) => {
    if (sawHttps) response.setHeader("strict-transport-security", "max-age=31536000");
    const isForged = request.url === "/panel/graphql" && (stripsOrigin || request.headers.origin !== url);
    const error = { extensions: { code: sawHttps && !isForged ? "UNAUTHENTICATED" : "FORBIDDEN" } };
    response.end(JSON.stringify(request.url === "/graphql" ? { data: { status: { ok: true } } } : { errors: [error] }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return url;
}

test.each<[string, Parameters<typeof startHttps>[0], string, RegExp]>([
  ["nothing where all is right", {}, "ok", /responds$/],
  ["an authority that is not trusted", { isTrusted: false }, "failed", /authority of its certificate is not trusted/],
  ["a certificate of another host", { host: "192.0.2.1" }, "failed", /certificate is for another host/],
  ["an expired certificate", { endsInDays: -1 }, "failed", /certificate has expired/],
  ["a certificate that expires soon", { endsInDays: 7 }, "warning", /certificate expires at \d{4}-/],
  ["a proxy that is not trusted, or does not name the scheme", { sawHttps: false }, "failed", /HTTPS/],
])("finds %s", async (_, options, status, message) => {
  const url = await startHttps(options);
  const findings = await checkPublicUrls(readSettings({ PUBLIC_URL: url, ADMIN_URL: url }), new Date());
  const expected = { status, message: expect.stringMatching(message) };
  expect(findings).toMatchObject([
    { check: "PUBLIC_URL", ...expected },
    { check: "ADMIN_URL", ...expected },
  ]);
});

test("finds a proxy that removes the Origin header", async () => {
  const url = await startHttps({ stripsOrigin: true });
  const findings = await checkPublicUrls(readSettings({ PUBLIC_URL: url, ADMIN_URL: url }), new Date());
  expect(findings).toMatchObject([
    { check: "PUBLIC_URL", status: "ok" },
    { check: "ADMIN_URL", status: "failed", message: expect.stringContaining("without their Origin header") },
  ]);
});
