import { readFileSync } from "node:fs";
import { RETURN_PARAMETERS } from "@social-connect/contract";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { ConnectButton } from "./react.ts";

test("the parameters of a return URL are those of the contract", () => {
  const source = readFileSync(new URL("finish.ts", import.meta.url), "utf8");
  // Not imported: a page may load this package without a bundler.
  for (const name of Object.values(RETURN_PARAMETERS)) expect(source).toContain(`"${name}"`);
});

test("the React button renders on a server as a form that works without scripts", () => {
  const props = { action: "/connect", fields: { provider: "PROVIDER_A" }, disabled: true, onOutcome: () => undefined };
  expect(renderToStaticMarkup(createElement(ConnectButton, props, "Connect"))).toBe(
    '<form action="/connect" method="post"><input type="hidden" name="provider" value="PROVIDER_A"/><button disabled="" type="submit">Connect</button></form>',
  );
});
