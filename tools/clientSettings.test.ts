/** The options that both SDKs have, by one call that needs the key. */
import { describe, expect, it, vi } from "vitest";
import adminManifest from "../packages/admin-sdk/package.json" with { type: "json" };
import { createAdmin } from "../packages/admin-sdk/src/createAdmin.ts";
import { KEY as ADMIN_KEY } from "../packages/admin-sdk/src/testing/fakeAdmin.ts";
import manifest from "../packages/sdk/package.json" with { type: "json" };
import { SocialConnect } from "../packages/sdk/src/client.ts";
import { KEY } from "../packages/sdk/src/testing/fakeApi.ts";
import type { CallOptions } from "../packages/sdk-core/src/call.ts";
import { ConfigurationError } from "../packages/sdk-core/src/errors.ts";
import { Secret } from "../packages/sdk-core/src/secret.ts";
import { steppingClock } from "../packages/sdk-core/src/testing/steppingClock.ts";

const BASE_URL = "https://api.example.com";

interface TestedClient {
  /** How it names itself. */
  readonly client: string;
  /** The option with the base URL, and the path that the client appends to it. */
  readonly addressOption: string;
  readonly path: string;
  readonly key: string;
  readonly malformedKeys: readonly unknown[];
  /** Creates a client and returns its call. */
  readonly make: (options: unknown) => (options?: CallOptions) => Promise<unknown>;
  /** The operation of the call, and a valid value of it. */
  readonly operation: string;
  readonly value: object;
}

const malformed = (key: string) => ["", key.slice(1), `${key}0`, `Bearer ${key}`, `${key}\n`, key.replace(".", ":")];

const CLIENTS: readonly TestedClient[] = [
  {
    client: `sdk/${manifest.version}`,
    addressOption: "baseUrl",
    path: "/graphql",
    key: KEY,
    malformedKeys: [...malformed(KEY), undefined, {}],
    make: (options) => {
      const social = new SocialConnect(options as { baseUrl: string; key: string });
      return (callOptions) => social.readiness(callOptions);
    },
    operation: "integrationReadiness",
    value: { providers: [], idpIdentityAvailable: true },
  },
  {
    client: `admin-sdk/${adminManifest.version}`,
    addressOption: "host",
    path: "/api/admin/graphql",
    key: ADMIN_KEY,
    malformedKeys: [...malformed(ADMIN_KEY), ADMIN_KEY.slice(6), ADMIN_KEY.replace("c0ffee", "C0FFEE"), undefined, {}],
    make: (options) => {
      const isObject = typeof options === "object" && options !== null;
      const scoped = isObject ? { scope: "READ", ...options } : options;
      const admin = createAdmin(scoped as { host: string; key: string; scope: "READ" });
      return (callOptions) => admin.previewTemplate(callOptions);
    },
    operation: "previewTemplate",
    value: { template: "https://{label}.preview.example.app", allowsLoopbackHttp: true },
  },
];

describe.each(CLIENTS)("$client", (tested) => {
  const { addressOption, path, key, client, malformedKeys, make, operation, value } = tested;
  const SECRET_HALF = key.slice(key.indexOf(".") + 1);
  const good = { [addressOption]: BASE_URL, key };
  const answer = { data: { [operation]: value } };

  function recorder() {
    const calls: { url: string; headers: Headers }[] = [];
    const fetch = async (url: string, init: RequestInit) => {
      calls.push({ url, headers: new Headers(init.headers) });
      return Response.json(answer);
    };
    return { calls, fetch };
  }

  function refused(options: unknown): ConfigurationError {
    try {
      make(options);
    } catch (error) {
      if (error instanceof ConfigurationError) return error;
      throw error;
    }
    return expect.fail("the client was expected to refuse its options");
  }

  /** The error of a call that sends nothing. */
  async function errorOf(options: object, callOptions: unknown = {}): Promise<unknown> {
    const { calls, fetch } = recorder();
    const call = make({ ...good, fetch, ...options })(callOptions as CallOptions);
    const error: unknown = await call.catch((thrown: unknown) => thrown);
    expect(calls).toHaveLength(0);
    return error;
  }

  describe("the base URL", () => {
    it.each([
      ["https://api.example.com", "https://api.example.com"],
      ["https://api.example.com/base/", "https://api.example.com/base"],
      ["http://127.0.0.1:4400", "http://127.0.0.1:4400"],
      ["http://localhost:4400", "http://localhost:4400"],
      ["http://[::1]:4400", "http://[::1]:4400"],
    ])("sends requests for %s to the endpoint", async (address, start) => {
      const { calls, fetch } = recorder();
      await make({ ...good, [addressOption]: address, fetch })();
      expect(calls.map((call) => call.url)).toEqual([start + path]);
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
      `https://api.example.com${path}`,
      `https://api.example.com${path}/`,
      `https://api.example.com/${key}`,
      `https://${SECRET_HALF}.example.com`,
      undefined,
      7,
    ])("rejects %s", (address) => {
      expect(refused({ ...good, [addressOption]: address }).message).toContain(addressOption);
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
    ])("rejects %j, which a URL parser would correct", (address) => {
      expect(URL.canParse(address)).toBe(true);
      expect(refused({ ...good, [addressOption]: address }).message).toContain(addressOption);
    });

    it("may be plain http on other hosts only with allowInsecureHttp", () => {
      const options = { ...good, [addressOption]: "http://api.test" };
      refused(options);
      expect(() => make({ ...options, allowInsecureHttp: true })).not.toThrow();
    });
  });

  it("names itself and its version in each request, and nothing else of the caller", async () => {
    const { calls, fetch } = recorder();
    await make({ ...good, fetch })();
    expect(calls[0]?.headers.get("x-social-connect-client")).toBe(client);
  });

  describe("unknown options", () => {
    it.each([
      ["timeout", "Unknown option `timeout`. Did you mean `timeoutMs`?"],
      ["retry", "Unknown option `retry`. Did you mean `retries`?"],
      ["hook", "Unknown option `hook`. Did you mean `hooks`?"],
      ["apiKey", "Unknown option `apiKey`. Did you mean `key`?"],
    ])("%s is refused with a suggestion", (name, message) => {
      expect(refused({ ...good, [name]: 1 }).message).toBe(message);
    });

    it("without a similar name are refused with the known ones, and a key as a name is not repeated", () => {
      expect(refused({ ...good, proxy: 1 }).message).toMatch(/^Unknown option `proxy`\. Known: .*\btimeoutMs\b/);
      expect(refused({ ...good, [key]: 1 }).message).not.toContain(SECRET_HALF.slice(0, 12));
      expect(refused({ ...good, [SECRET_HALF]: 1 }).message).not.toContain(SECRET_HALF.slice(0, 12));
      expect(refused({ ...good, [key]: 1 }).message).toMatch(/^Unknown option\. Known: /);
    });

    it("of a call are refused before a request is sent", async () => {
      const message = "Unknown option `timeout`. Did you mean `timeoutMs`?";
      expect(await errorOf({}, { timeout: 5 })).toMatchObject({ message });
    });
  });

  describe("options of a call", () => {
    const lost = () => Promise.reject(new TypeError("fetch failed", { cause: { code: "ECONNREFUSED" } }));

    it("replace the client's timeout and retries", async () => {
      let sent = 0;
      const fetch = () => {
        sent += 1;
        return lost();
      };
      const call = make({ ...good, fetch, retries: 0, clock: { now: () => 0, sleep: async () => undefined } });
      await expect(call({ retries: 3 })).rejects.toMatchObject({ kind: "transport" });
      expect(sent).toBe(4);
      const deaf = make({ ...good, fetch: () => new Promise<Response>(() => undefined), retries: 0 });
      await expect(deaf({ timeoutMs: 15 })).rejects.toThrow("No response within 15 ms.");
    });

    it.each([new AbortController(), {}, true])("are refused with %o in place of a signal", async (signal) => {
      expect(await errorOf({}, { signal })).toMatchObject({ message: "signal must be an AbortSignal." });
    });

    it.each([null, 5, "x", [], new AbortController().signal, new Date(), () => undefined])(
      "are refused with %o in place of the object",
      async (options) => {
        const error = await errorOf({}, options);
        expect(error).toBeInstanceOf(ConfigurationError);
        expect(error).toMatchObject({ message: "options must be an object." });
      },
    );

    it.each([{ timeoutMs: 0 }, { timeoutMs: 1.5 }, { retries: -1 }, { retries: Number.NaN }, { timeoutMs: "5" }])(
      "are refused with their range: %o",
      async (options) => {
        const message = new RegExp(`^${Object.keys(options)[0]} must be a whole number from [01] to `);
        expect(await errorOf({}, options)).toMatchObject({ message: expect.stringMatching(message) });
      },
    );
  });

  describe("the key", () => {
    it.each([
      ["a string", key],
      ["a Secret", new Secret(key)],
    ])("is sent as the only credential, from %s", async (_, given) => {
      const { calls, fetch } = recorder();
      await make({ ...good, key: given, fetch })();
      expect(calls[0]?.headers.get("authorization")).toBe(`Bearer ${key}`);
      const names = ["accept", "authorization", "content-type", "x-social-connect-client"];
      expect([...(calls[0]?.headers.keys() ?? [])].toSorted()).toEqual(names);
    });

    it.each(malformedKeys)("is rejected at construction if malformed, without being repeated", (malformed) => {
      const error = refused({ ...good, key: malformed });
      expect(`${error.message} ${error.stack}`.toLowerCase()).not.toContain(SECRET_HALF.slice(0, 12));
    });

    it("is not repeated if it was passed as the base URL", () => {
      const error = refused({ [addressOption]: key, key: BASE_URL });
      expect(`${error.message} ${error.stack}`).not.toContain(key.slice(-20));
    });

    it("calls a key function before each request, so that the key can be rotated", async () => {
      const { calls, fetch } = recorder();
      const next = key.replace("11111111", "22222222");
      const keys = [key, next];
      const call = make({ ...good, key: async () => keys.shift() ?? "", fetch });
      await call();
      await call();
      expect(calls.map(({ headers }) => headers.get("authorization"))).toEqual([`Bearer ${key}`, `Bearer ${next}`]);
      await expect(call()).rejects.toBeInstanceOf(ConfigurationError);
      expect(calls).toHaveLength(2);
    });

    it("sends nothing if the key function fails, and does not pass on its error", async () => {
      const failing = () => {
        throw new Error(`cannot decrypt ${key}`);
      };
      const error = await errorOf({ key: failing });
      expect(error).toBeInstanceOf(ConfigurationError);
      expect(String(error)).not.toContain(key);
    });
  });

  describe("a key function", () => {
    it("that never resolves ends in a timeout", async () => {
      const error = await errorOf({ key: () => new Promise<string>(() => undefined), timeoutMs: 20, retries: 0 });
      expect(error).toMatchObject({ name: "TimeoutError", operation });
    });

    it("sends nothing when the caller aborts before the key function resolves", async () => {
      const stop = new AbortController();
      const { calls, fetch } = recorder();
      let give: (key: string) => void = () => undefined;
      const slow = () =>
        new Promise<string>((resolve) => {
          give = resolve;
          stop.abort("gone");
        });
      await expect(make({ ...good, key: slow, fetch })({ signal: stop.signal })).rejects.toBe("gone");
      give(key);
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
      expect(calls).toHaveLength(0);
    });

    it("or a wrapper that throws does not pass on its error", async () => {
      const wrapper = {
        reveal: () => {
          throw new Error(`cannot decrypt ${key}`);
        },
      };
      const atOnce = refused({ ...good, key: wrapper });
      const later = await make({ ...good, key: () => wrapper, fetch: recorder().fetch })().catch(String);
      expect(`${atOnce} ${later}`).not.toContain(key);
      expect(later).toMatch(/^ConfigurationError/);
    });

    it.each([undefined, 7, {}, { reveal: "text" }, { reveal: () => 7 }, `Bearer ${key}`])(
      "sends nothing for a function that returns %s, and reports the problem",
      async (given) => {
        const error = await errorOf({ key: () => given });
        expect(error).toMatchObject({ name: "ConfigurationError", operation });
        expect(String(error)).not.toContain(SECRET_HALF);
      },
    );
  });

  describe("a fetch of the caller", () => {
    const options = { ...good, retries: 0 };

    it("that never resolves and ignores its signal ends in a timeout", async () => {
      const deaf = () => new Promise<Response>(() => undefined);
      await expect(make({ ...options, fetch: deaf, timeoutMs: 20 })()).rejects.toMatchObject({ name: "TimeoutError" });
      const stop = new AbortController();
      const going = make({ ...options, fetch: deaf })({ signal: stop.signal });
      stop.abort("gone");
      await expect(going).rejects.toBe("gone");
    });

    it("is called as a plain function, as Cloudflare Workers require", async () => {
      const thisValues: unknown[] = [];
      async function strict(this: unknown): Promise<Response> {
        thisValues.push(this);
        return Response.json(answer);
      }
      await make({ ...options, fetch: strict })();
      expect(thisValues).toEqual([undefined]);
    });

    it.each([
      "a text",
      undefined,
      new Error("of the caller"),
      new DOMException("of the caller", "AbortError"),
      Object.assign(new Error("Dynamic server usage"), { digest: "DYNAMIC_SERVER_USAGE" }),
      Promise.resolve("what Suspense waits for"),
    ])("may throw any value, which passes through unchanged and is not retried: %s", async (thrown) => {
      let calls = 0;
      const outcomes: string[] = [];
      const hooks = { onResponse: ({ outcome }: { outcome: string }) => void outcomes.push(outcome) };
      const throwing = () => {
        calls += 1;
        throw thrown;
      };
      const end = await make({ ...good, clock: steppingClock(), hooks, fetch: throwing })().then(
        () => expect.fail("the call was expected to reject"),
        (error: unknown) => ({ error }),
      );
      expect(end.error).toBe(thrown);
      expect(calls).toBe(1);
      expect(outcomes).toEqual(["OTHER_ERROR"]);
    });

    it("is retried after a fault of the network, which is a TransportError", async () => {
      let calls = 0;
      const failing = async () => {
        calls += 1;
        throw new TypeError("fetch failed");
      };
      const call = make({ ...good, clock: steppingClock(), fetch: failing });
      expect(await call().catch((thrown: unknown) => thrown)).toMatchObject({ name: "TransportError", operation });
      expect(calls).toBeGreaterThan(1);
    });

    it("may throw an error with the request, which is omitted", async () => {
      const throwing = (_url: string, init: object) =>
        Promise.reject(Object.assign(new Error("x"), { config: { init } }));
      const error = await make({ ...options, fetch: throwing })().catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ name: "TransportError", mayHaveBeenSent: true });
      expect(error).not.toHaveProperty("config");
    });

    it("may return a response without a stream", async () => {
      const body = new TextEncoder().encode(JSON.stringify(answer));
      const headers = new Headers({ "content-type": "application/json" });
      const plain = async () => ({ status: 200, headers, arrayBuffer: async () => body.buffer });
      expect(await make({ ...options, fetch: plain })()).toEqual(value);
    });

    it.each([{ status: key }, { status: 502 }, {}, null, key])(
      "may return an invalid response: %o",
      async (invalid) => {
        const error = await make({ ...options, fetch: async () => invalid })().catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ name: "ProtocolError", code: "UNEXPECTED_SHAPE", operation });
        expect(JSON.stringify(error)).not.toContain(SECRET_HALF);
      },
    );

    it("is, when absent, the global fetch at the time of the request", async () => {
      const call = make(options);
      vi.stubGlobal("fetch", recorder().fetch);
      expect(await call()).toEqual(value);
      vi.unstubAllGlobals();
    });
  });

  describe("an invalid value of an untyped caller", () => {
    it.each([
      undefined,
      null,
      "options",
      {},
      { [addressOption]: BASE_URL },
      { key },
      { ...good, fetch: "fetch" },
      { ...good, random: 4 },
      { ...good, timeoutMs: "10" },
      { ...good, timeoutMs: 0 },
      { ...good, timeoutMs: Number.NaN },
      { ...good, timeoutMs: 2 ** 31 },
      { ...good, timeoutMs: Number.POSITIVE_INFINITY },
      { ...good, retries: -1 },
      { ...good, retries: 1.5 },
      { ...good, clock: Date },
      { ...good, clock: { now: Date.now } },
      { ...good, hooks: () => undefined },
      { ...good, hooks: { onRequest: true } },
      [good],
    ])("is rejected at construction: %o", (options) => {
      refused(options);
      expect(() => make(good)).not.toThrow();
    });

    it.each([
      [{ fetch: "fetch" }, "fetch must be a function."],
      [{ random: 4 }, "random must be a function."],
      [
        { hooks: { onresponse: () => undefined } },
        "Unknown property of hooks `onresponse`. Did you mean `onResponse`?",
      ],
      [{ hooks: { onError: () => undefined } }, "Unknown property of hooks `onError`. "],
    ])("is named in the error: %o", (options, message) => {
      expect(refused({ ...good, ...options }).message).toContain(message);
    });

    it("is not another member of an object with hooks", () => {
      const hooks = { spans: new Map(), on: () => undefined, onRequest: () => undefined };
      expect(() => make({ ...good, hooks })).not.toThrow();
    });

    it("is a fetch that the runtime does not have", () => {
      vi.stubGlobal("fetch", undefined);
      expect(refused(good).message).toBe("fetch must be a function.");
      vi.unstubAllGlobals();
    });

    it("is an environment without the globals of Node, as of Jest with jsdom", () => {
      for (const name of ["TextEncoder", "TextDecoder"]) vi.stubGlobal(name, undefined);
      expect(refused(good).message).toBe(
        "This environment has no TextDecoder, no TextEncoder. In Jest, use node instead of jsdom: add `@jest-environment node` to the test.",
      );
      vi.unstubAllGlobals();
    });

    it.each([new Date("never"), "2026-01-01", 5])("is rejected at the call: a deadline of %s", async (deadline) => {
      expect(await errorOf({}, { deadline })).toBeInstanceOf(ConfigurationError);
    });
  });
});
