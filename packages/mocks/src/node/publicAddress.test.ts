import { networkInterfaces } from "node:os";
import { rawRequest } from "@social-connect/testkit";
import { afterEach, describe, expect, test } from "vitest";
import { CONNECT, connectInput } from "../testing/post.ts";
import { runCli } from "../testing/runCli.ts";
import { type ServedMock, type ServeOptions, serveMock } from "./serve.ts";

let served: ServedMock | undefined;
afterEach(async () => {
  await served?.close();
  served = undefined;
});

async function start(options: ServeOptions) {
  served = await serveMock(options);
  return served;
}

/** Goes from the API to the return URL as an application and its browser do, and returns every URL in between. */
async function connectAt(local: string, mock: ServedMock["mock"], host: string): Promise<string[]> {
  const headers = { host, "content-type": "application/json", authorization: `Bearer ${mock.key}` };
  const body = JSON.stringify({ query: CONNECT.replace("{ id", "{ launchUrl id"), variables: connectInput(mock) });
  const created = await rawRequest(`${local}/graphql`, { method: "POST", headers, body });
  const { launchUrl, launchToken } = JSON.parse(created.text).data.createConnectSession;
  const form = {
    host,
    "content-type": "application/x-www-form-urlencoded",
    origin: mock.application.webOrigins[0] ?? "",
  };
  const launched = await rawRequest(`${local}/api/connect/redeem`, {
    method: "POST",
    headers: form,
    body: String(new URLSearchParams({ launchToken })),
  });
  const consent = new URL(launched.location ?? "");
  const page = await rawRequest(`${local}${consent.pathname}${consent.search}`, { headers: { host } });
  expect([launched.status, page.status]).toEqual([303, 200]);
  const [, action = ""] = /<form method="post" action="([^"]*)"/.exec(page.text) ?? [];
  const fields = new URLSearchParams({ state: consent.searchParams.get("state") ?? "", decision: "deny" });
  const decided = await rawRequest(local + new URL(action).pathname, {
    method: "POST",
    headers: form,
    body: String(fields),
  });
  return [launchUrl, consent.href, consent.searchParams.get("redirect_uri") ?? "", action, decided.location ?? ""];
}

const originsOf = (urls: readonly string[]) => [...new Set(urls.map((url) => new URL(url).origin))];

describe("a mock that listens at every address", () => {
  test.each(["0.0.0.0", "::"])("on %s gives each client URLs under the host that it used", async (host) => {
    const { mock, port, url } = await start({ host, allowedHosts: ["mock"] });
    const local = `http://127.0.0.1:${port}`;
    expect(new URL(url).hostname).toBe(host === "::" ? "[::1]" : "127.0.0.1");
    // Also a container's port that has another number outside.
    for (const named of [`localhost:${port}`, "192.0.2.7:14010", "mock:4010", "mock"]) {
      expect(originsOf(await connectAt(local, mock, named))).toEqual([`http://${named}`]);
    }
    expect((await rawRequest(`${local}/graphql`, { headers: { host: "lan-name:4010" } })).status).toBe(403);
  });

  test("answers on an address of the network, with that address in its URLs", async (context) => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const address = addresses.find(({ internal, family }) => !internal && family === "IPv4")?.address;
    if (address === undefined) return context.skip("this machine has no network address");
    const { mock, port } = await start({ host: "0.0.0.0" });
    const local = `http://${address}:${port}`;
    expect(originsOf(await connectAt(local, mock, `${address}:${port}`))).toEqual([local]);
  });

  test("names its issuer the same for every client", async () => {
    const { mock, port } = await start({ host: "0.0.0.0" });
    expect(mock.issuer).toBe(`http://127.0.0.1:${port}/__mock/issuer`);
  });
});

describe("a public URL", () => {
  test("is in every URL, for any host of a request", async () => {
    const publicUrl = "https://mock.example.test";
    const { mock, url } = await start({ host: "0.0.0.0", publicUrl });
    expect([url, mock.baseUrl]).toEqual([publicUrl, publicUrl]);
  });

  test("may have a path, which a proxy removes or passes on", async () => {
    const { mock, port } = await start({ publicUrl: "http://localhost:8080/mock" });
    const local = `http://127.0.0.1:${port}`;
    expect(await connectAt(local, mock, "localhost:8080")).toSatisfy((urls: string[]) =>
      urls.slice(0, 4).every((url) => url.startsWith("http://localhost:8080/mock/")),
    );
    for (const path of ["/mock/__mock/clock", "/__mock/clock"])
      expect((await rawRequest(local + path)).status).toBe(200);
  });

  test.each(["mock:4010", "ftp://mock", "http://mock/?a=b"])(
    "%s is refused before anything listens",
    async (publicUrl) => {
      await expect(serveMock({ publicUrl })).rejects.toThrow("`publicUrl` must be an absolute http or https URL");
    },
  );
});

describe("the command", () => {
  const printedBy = async (...args: readonly string[]) => {
    const { printed, code } = await runCli(["serve", "--port", "0", ...args], { untilStopped: async () => undefined });
    expect(code).toBe(0);
    return printed;
  };

  test.each([
    ["--host", "0.0.0.0"],
    ["--host", "::"],
    ["--host", "0.0.0.0", "--json"],
  ])("prints no listening address that clients cannot use: %s %s %s", async (...args) => {
    const printed = await printedBy(...args.filter((arg) => arg !== undefined));
    expect(printed).not.toMatch(/0\.0\.0\.0|\[::\]/);
    expect(printed).toMatch(/http:\/\/(?:127\.0\.0\.1|\[::1\]):\d+\/__mock/);
  });

  test("prints the public URL", async () => {
    const printed = await printedBy("--host", "0.0.0.0", "--public-url", "http://localhost:14010", "--json");
    expect(JSON.parse(printed)).toMatchObject({
      baseUrl: "http://localhost:14010",
      control: "http://localhost:14010/__mock",
    });
  });
});
