import { SOCIAL_PROVIDERS, type SocialProvider } from "@social-connect/contract";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { returnUrlWithResult } from "./returnUrlWithResult.ts";

describe("sending the browser back", () => {
  test.each([
    ["https://a.example/r", "https://a.example/r?ss_session_id=id-1&ss_status=COMPLETED"],
    ["https://a.example/r?", "https://a.example/r?ss_session_id=id-1&ss_status=COMPLETED"],
    ["https://a.example/r?x=%20&y=+", "https://a.example/r?x=%20&y=+&ss_session_id=id-1&ss_status=COMPLETED"],
    ["https://a.example/r?x&", "https://a.example/r?x&ss_session_id=id-1&ss_status=COMPLETED"],
  ])("adds the hint to %s and does not change the rest", (url, expected) => {
    expect(returnUrlWithResult(url, { id: "id-1", status: "COMPLETED" })).toBe(expected);
  });

  test("ends with an empty fragment for a provider whose redirect has one, so that browsers do not carry that on", () => {
    const sent = (provider: SocialProvider) =>
      returnUrlWithResult("https://a.example/b", { id: "1", status: "DENIED", provider });
    expect(SOCIAL_PROVIDERS.filter((provider) => sent(provider).includes("#"))).toEqual(["PROVIDER_C"]);
    expect(sent("PROVIDER_C")).toBe(`${sent("PROVIDER_A")}#`);
  });

  test("keeps every byte before it, and every parameter", () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), fc.uuid(), (url, id) => {
        const sent = returnUrlWithResult(url, { id, status: "DENIED" });
        expect(sent.startsWith(url)).toBe(true);
        const added = new URL(sent).searchParams;
        expect(added.get("ss_session_id")).toBe(id);
        expect(added.get("ss_status")).toBe("DENIED");
        expect([...added].slice(0, -2)).toEqual([...new URL(url).searchParams]);
      }),
    );
  });
});
