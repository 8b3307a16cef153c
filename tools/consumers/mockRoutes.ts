import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { applicationOf, linkAccount, USER } from "../linkAccount.ts";
import { ROOT } from "../packages/publishedPackages.ts";
import { samplesOf } from "../samples/samples.ts";

const GUIDE = "docs/how-to/test-with-mocks.md";
/** The base URL of the application in the guide. */
const GUIDE_URL = "http://localhost:3000";
const MOCK_FILE = "lib/socialConnectMock.ts";
const ROUTE_FILE = "app/social-connect/[...path]/route.ts";

/** An application whose route serves the mocks as in the guide, and whose page reads from it with the SDK. */
export async function mockRouteFiles(url: string): Promise<Readonly<Record<string, string>>> {
  const samples = samplesOf(GUIDE, await readFile(join(ROOT, GUIDE), "utf8"));
  // Each file begins with its path.
  const [mock, route] = [MOCK_FILE, ROUTE_FILE].map(
    (path) => samples.find(({ code }) => code.startsWith(`// ${path}`))?.code,
  );
  if (mock === undefined || route === undefined) throw new Error(`${GUIDE} lacks ${MOCK_FILE} or ${ROUTE_FILE}`);
  return {
    "tsconfig.json": JSON.stringify({ compilerOptions: { paths: { "@/*": ["./*"] } } }),
    [MOCK_FILE]: withRevision(mock.replaceAll(GUIDE_URL, url), 1),
    [ROUTE_FILE]: route,
    "app/mocked/page.tsx": `import { SocialConnect } from "@social-connect/sdk";
import { mock, revision } from "@/lib/socialConnectMock";

export const dynamic = "force-dynamic";

export default async function Page() {
  const user = new SocialConnect({ baseUrl: mock.baseUrl, key: mock.key }).forSubject({
    tenantKey: "acme",
    externalSubjectId: "${USER}",
  });
  const accounts: string[] = [];
  for await (const { provider, status } of user.connections()) accounts.push(provider + " " + status);
  return <p>{\`accounts of revision \${revision}: \${accounts.join(", ") || "none"}\`}</p>;
}
`,
  };
}

/** The module of the mock with a change that a development server notices. */
export function withRevision(mockFile: string, revision: number): string {
  return `${mockFile.replace(/\nexport const revision = .*\n$/, "")}\nexport const revision = ${revision};\n`;
}

/** Links an account through the route's pages, loses a response, and reads both times with the page. */
export async function proveMockRoutes(url: string): Promise<void> {
  const baseUrl = `${url}/social-connect`;
  const control = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${baseUrl}/__mock/${path}`, { method, body: body ? JSON.stringify(body) : null });
    const text = await response.text();
    if (!response.ok) throw new Error(`the control API in Next.js answered ${method} ${path} with ${text}`);
    return JSON.parse(text);
  };
  const { key, tenantKeys, returnUrls } = await control("GET", "application");
  await expectPage(url, "accounts of revision 1: none");
  await linkAccount(applicationOf({ baseUrl, key, tenantKeys, returnUrl: returnUrls[0] }));
  await expectPage(url, "accounts of revision 1: PROVIDER_A CONNECTED");
  await control("DELETE", "calls");
  await control("POST", "faults", { operation: "connections", times: 1, fault: { drop: "after" } });
  await expectPage(url, "accounts of revision 1: PROVIDER_A CONNECTED");
  const calls = ((await control("GET", "calls")) as { operation: string }[]).map(({ operation }) => operation);
  // The SDK repeats a read whose response was lost.
  if (calls.join() !== "connections,connections") throw new Error(`the page of Next.js made the calls ${calls.join()}`);
}

export async function expectPage(url: string, expected: string): Promise<void> {
  const text = await (await fetch(`${url}/mocked`)).text();
  const [, shown = text.slice(0, 200)] = /<p>([^<]*)<\/p>/.exec(text) ?? [];
  if (shown !== expected) throw new Error(`the page of Next.js shows "${shown}" instead of "${expected}"`);
}
