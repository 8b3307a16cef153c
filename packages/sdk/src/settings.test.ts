import { ConfigurationError, Secret } from "@social-connect/sdk-core";
import { describe, expect, it, vi } from "vitest";
import { SocialConnect } from "./client.ts";
import { BASE_URL, fakeApi, KEY, SCOPE } from "./testing/fakeApi.ts";
import { WINDOW } from "./testing/samples.ts";

function configurationError(make: () => unknown): ConfigurationError {
  try {
    make();
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  return expect.fail("the client was expected to refuse its options");
}

describe("the base URL", () => {
  it.each([
    ["https://api.example.com", "https://api.example.com/graphql"],
    ["https://api.example.com/base/", "https://api.example.com/base/graphql"],
    ["http://127.0.0.1:4400", "http://127.0.0.1:4400/graphql"],
    ["http://localhost:4400", "http://localhost:4400/graphql"],
    ["http://[::1]:4400", "http://[::1]:4400/graphql"],
  ])("sends requests for %s to the endpoint", async (baseUrl, endpoint) => {
    const api = fakeApi({ status: { ok: true, message: "ok" } });
    await new SocialConnect({ baseUrl, key: KEY, fetch: api.fetch }).status();
    expect(api.calls.map((call) => call.url)).toEqual([endpoint]);
  });

  it.each([
    "",
    "api.example.com",
    "ftp://api.example.com",
    "http://api.example.com",
    "http://127.0.0.1.example.com",
    "http://localhost.example.com",
    "https://user:pass@api.example.com",
    "https://api.example.com?x=1",
    "https://api.example.com/#x",
    "https://api.example.com/graphql",
    "https://api.example.com/graphql/",
    `https://api.example.com/${KEY}`,
    `https://${KEY.slice(37)}.example.com`,
  ])("rejects %s", (baseUrl) => {
    configurationError(() => new SocialConnect({ baseUrl, key: KEY }));
  });

  it.each([
    " https://api.example.com",
    "https://api.example.com\n",
    "https://api.exa\r\nmple.com",
    "https://api.exa\tmple.com",
    "https://api.example.com/\u0000",
    "https://api.example.com/\u202e",
    "https:api.example.com",
    "https:/api.example.com",
    "https:///api.example.com",
    "https:\\\\api.example.com",
    "https://api.example.com\\@elsewhere.example",
    "https://@api.example.com",
    "https://api.example.com/?",
    "https://api.example.com/#",
  ])("rejects %j, which a URL parser would correct", (baseUrl) => {
    expect(URL.canParse(baseUrl)).toBe(true);
    configurationError(() => new SocialConnect({ baseUrl, key: KEY }));
  });

  it("may be plain http on other hosts only with allowInsecureHttp", () => {
    const options = { baseUrl: "http://api.test", key: KEY };
    configurationError(() => new SocialConnect(options));
    expect(() => new SocialConnect({ ...options, allowInsecureHttp: true })).not.toThrow();
  });
});

describe("the key", () => {
  it.each([KEY, new Secret(KEY)])("may be a string or a Secret", (key) => {
    expect(() => new SocialConnect({ baseUrl: BASE_URL, key })).not.toThrow();
  });

  it.each(["", KEY.slice(1), `${KEY}0`, `Bearer ${KEY}`, `${KEY}\n`, KEY.replace(".", ":")])(
    "is rejected at construction if malformed, without being repeated",
    (key) => {
      const error = configurationError(() => new SocialConnect({ baseUrl: BASE_URL, key }));
      if (key !== "") expect(`${error.message} ${error.stack}`).not.toContain(key.trim());
    },
  );

  it("is not repeated if it was passed as the base URL", () => {
    const error = configurationError(() => new SocialConnect({ baseUrl: KEY, key: BASE_URL }));
    expect(`${error.message} ${error.stack}`).not.toContain(KEY.slice(-20));
  });

  it("calls a key function before each request, so the key can be rotated", async () => {
    const api = fakeApi({ integrationReadiness: { providers: [], idpIdentityAvailable: false } });
    const next = KEY.replace("11111111", "22222222");
    const keys = [KEY, next];
    const social = new SocialConnect({ baseUrl: BASE_URL, fetch: api.fetch, key: async () => keys.shift() ?? "" });
    await social.readiness();
    await social.readiness();
    expect(api.calls.map((call) => call.headers.get("authorization"))).toEqual([`Bearer ${KEY}`, `Bearer ${next}`]);
    await expect(social.readiness()).rejects.toBeInstanceOf(ConfigurationError);
    expect(api.calls).toHaveLength(2);
  });

  it("sends nothing if the key function fails, and does not pass on its error", async () => {
    const api = fakeApi({});
    const key = () => {
      throw new Error(`cannot decrypt ${KEY}`);
    };
    const social = new SocialConnect({ baseUrl: BASE_URL, fetch: api.fetch, key });
    const error = await social.readiness().catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(String(error)).not.toContain(KEY);
    expect(api.calls).toHaveLength(0);
  });

  it("is not sent with `status`, which needs none", async () => {
    const api = fakeApi({ status: { ok: true, message: "ok" } });
    await new SocialConnect({ baseUrl: BASE_URL, key: KEY, fetch: api.fetch }).status();
    expect(api.calls[0]?.headers.has("authorization")).toBe(false);
  });
});

describe("a key function", () => {
  const never = () => new Promise<string>(() => undefined);

  it("that never resolves ends in a timeout", async () => {
    const api = fakeApi({});
    const social = new SocialConnect({ baseUrl: BASE_URL, fetch: api.fetch, key: never, timeoutMs: 20, retries: 0 });
    await expect(social.readiness()).rejects.toMatchObject({ name: "TimeoutError", operation: "integrationReadiness" });
    expect(api.calls).toHaveLength(0);
  });

  it("sends nothing when the caller aborts before the key function resolves", async () => {
    const stop = new AbortController();
    const api = fakeApi({});
    let give: (key: string) => void = () => undefined;
    const key = () =>
      new Promise<string>((resolve) => {
        give = resolve;
        stop.abort("gone");
      });
    const social = new SocialConnect({ baseUrl: BASE_URL, fetch: api.fetch, key });
    await expect(social.readiness({ signal: stop.signal })).rejects.toBe("gone");
    give(KEY);
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(api.calls).toHaveLength(0);
  });

  it("or a wrapper that throws does not pass on its error", async () => {
    const wrapper = {
      reveal: () => {
        throw new Error(`cannot decrypt ${KEY}`);
      },
    };
    const options = { baseUrl: BASE_URL, fetch: fakeApi({}).fetch };
    const atOnce = configurationError(() => new SocialConnect({ ...options, key: wrapper }));
    const later = await new SocialConnect({ ...options, key: () => wrapper }).readiness().catch(String);
    expect(`${atOnce} ${later}`).not.toContain(KEY);
    expect(later).toMatch(/^ConfigurationError/);
  });

  it.each([undefined, 7, {}, { reveal: "text" }, { reveal: () => 7 }, `Bearer ${KEY}`])(
    "sends nothing for a function that returns %s, and reports the problem",
    async (given) => {
      const api = fakeApi({});
      const social = new SocialConnect({
        baseUrl: BASE_URL,
        fetch: api.fetch,
        key: () => JSON.parse(JSON.stringify(given ?? null)),
      });
      const error = await social.readiness().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "ConfigurationError", operation: "integrationReadiness" });
      expect(String(error)).not.toContain(KEY.slice(37));
      expect(api.calls).toHaveLength(0);
    },
  );
});

describe("a fetch of the caller", () => {
  const options = { baseUrl: BASE_URL, key: KEY, retries: 0 };

  it("that never resolves and ignores its signal ends in a timeout", async () => {
    const deaf = () => new Promise<Response>(() => undefined);
    const social = new SocialConnect({ ...options, fetch: deaf, timeoutMs: 20 });
    await expect(social.status()).rejects.toMatchObject({ name: "TimeoutError" });
    const stop = new AbortController();
    const going = new SocialConnect({ ...options, fetch: deaf }).status({ signal: stop.signal });
    stop.abort("gone");
    await expect(going).rejects.toBe("gone");
  });

  it("is called as a plain function, as Cloudflare Workers require", async () => {
    const thisValues: unknown[] = [];
    async function strict(this: unknown): Promise<Response> {
      thisValues.push(this);
      return Response.json({ data: { status: { ok: true, message: "" } } });
    }
    await new SocialConnect({ ...options, fetch: strict }).status();
    expect(thisValues).toEqual([undefined]);
  });

  it("may throw any value synchronously, and may return a response without a stream", async () => {
    const throwing = () => {
      throw "a text";
    };
    await expect(new SocialConnect({ ...options, fetch: throwing }).status()).rejects.toMatchObject({
      kind: "transport",
    });
    const body = new TextEncoder().encode('{"data":{"status":{"ok":true,"message":"m"}}}');
    const headers = new Headers({ "content-type": "application/json" });
    const plain = async () => ({ status: 200, headers, arrayBuffer: async () => body.buffer });
    expect(await new SocialConnect({ ...options, fetch: plain }).status()).toEqual({ ok: true, message: "m" });
  });

  it.each([{ status: KEY }, { status: 502 }, {}, null, KEY])("may return an invalid response: %o", async (answer) => {
    const social = new SocialConnect({ ...options, fetch: async () => JSON.parse(JSON.stringify(answer)) });
    const error = await social.status().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: "TransportError", operation: "status" });
    expect(JSON.stringify(error)).not.toContain(KEY.slice(37));
  });

  it("is, when absent, the global fetch at the time of the request", async () => {
    const social = new SocialConnect(options);
    vi.stubGlobal("fetch", fakeApi({ status: { ok: true, message: "stubbed" } }).fetch);
    expect(await social.status()).toMatchObject({ message: "stubbed" });
    vi.unstubAllGlobals();
  });
});

describe("an invalid value of an untyped caller", () => {
  const good = { baseUrl: BASE_URL, key: KEY };
  const untyped = (options: unknown) => () => new SocialConnect(options as typeof good);

  it.each([
    undefined,
    null,
    {},
    { baseUrl: BASE_URL },
    { key: KEY },
    { ...good, fetch: "fetch" },
    { ...good, random: 4 },
    { ...good, timeoutMs: "10" },
    { ...good, timeoutMs: 2 ** 31 },
    { ...good, timeoutMs: Number.POSITIVE_INFINITY },
    { ...good, retries: 2.5 },
    { ...good, clock: Date },
    { ...good, clock: { now: Date.now } },
    { ...good, hooks: () => undefined },
    { ...good, hooks: { onRequest: true } },
  ])("is rejected at construction: %o", (options) => {
    configurationError(untyped(options));
    expect(untyped(good)).not.toThrow();
  });

  it.each([new Date("never"), "2026-01-01", 5])("is rejected at the call: a deadline of %s", async (deadline) => {
    const api = fakeApi({});
    const social = new SocialConnect({ ...good, fetch: api.fetch });
    await expect(social.status({ deadline: deadline as Date })).rejects.toBeInstanceOf(ConfigurationError);
    const waiting = social
      .forSubject(SCOPE)
      .job("c", "j")
      .wait({ deadline: deadline as Date });
    await expect(waiting).rejects.toBeInstanceOf(ConfigurationError);
    expect(api.calls).toHaveLength(0);
  });

  it("is rejected at the call: missing ids, and values that JSON cannot represent", async () => {
    const api = fakeApi({});
    const social = new SocialConnect({ ...good, fetch: api.fetch });
    const user = social.forSubject(SCOPE);
    const unset = JSON.parse('""');
    const notSerializable = {
      publishedAfter: WINDOW.publishedAfter,
      publishedBefore: WINDOW.publishedBefore,
      maxItems: 1n,
    };
    for (const call of [
      () => user.connection(unset),
      () => user.disconnect(unset),
      () => user.contentItem("c", unset),
      async () => user.content(unset, WINDOW),
      async () => user.refresh(unset),
      async () => user.lookup("c", unset),
      async () => user.job("c", unset),
      async () => user.connectResult(unset),
      () => user.refresh("c", { window: notSerializable as unknown as typeof WINDOW }).start(),
      async () => user.refresh("c", JSON.parse("null")),
      async () => user.content("c", JSON.parse("null")),
      async () => user.content("c", JSON.parse('{"publishedAfter":5,"publishedBefore":{}}')),
      () => user.connect(JSON.parse("null")),
      async () => social.forSubject(JSON.parse("null")),
      () => social.createIdpIdentitySession(JSON.parse("null")),
      () => social.redeemIdpIdentity(JSON.parse("null")),
    ]) {
      await expect(call()).rejects.toBeInstanceOf(ConfigurationError);
    }
    expect(api.calls).toHaveLength(0);
  });
});

it.each([{ timeoutMs: 0 }, { timeoutMs: Number.NaN }, { retries: -1 }, { retries: 1.5 }])(
  "rejects invalid numbers: %o",
  (numbers) => {
    configurationError(() => new SocialConnect({ baseUrl: BASE_URL, key: KEY, ...numbers }));
  },
);
