import { expect, test } from "vitest";
import { makeWorld } from "../mock/options.ts";
import { takeConsent } from "./consentPages.ts";

test.each([
  ["visited-ahead", 1],
  ["tidepool-studio", 0],
])("at the account %s, the callback is requested %i times before the person returns", async (account, times) => {
  const visited: string[] = [];
  const url = new URL("https://social-connect.example.test/__mock/providers/provider-c/consent");
  const headers = new Headers({ "content-type": "application/x-www-form-urlencoded" });
  const form = new URLSearchParams({ state: "s", decision: "allow", account, requested: "" });
  const request = { method: "POST", url, headers, text: async () => form.toString() };
  const visitAhead = async (address: string) => void visited.push(address);
  const { headers: sent } = await takeConsent(makeWorld({}), request, "PROVIDER_C", visitAhead);
  const location = sent.find(([name]) => name === "location")?.[1];
  // A fragment is never sent to a server.
  expect(visited).toEqual(Array(times).fill(location?.split("#")[0]));
  expect(location).toContain("/callback/");
});
