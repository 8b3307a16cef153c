import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { scramVerifier } from "./scramVerifier.ts";

test("the verifier signs the exchange of RFC 7677 as its server does", () => {
  const verifier = scramVerifier("pencil", Buffer.from("W22ZaJ0SNY7soEsUEjb6gQ==", "base64"));
  const [, serverKey = ""] = /^SCRAM-SHA-256\$4096:W22ZaJ0SNY7soEsUEjb6gQ==\$[^:]+:(.+)$/.exec(verifier) ?? [];
  const nonce = "rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0";
  const message = `n=user,r=rOprNGfwEbeRWgbNEkqO,r=${nonce},s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=${nonce}`;
  const signature = createHmac("sha256", Buffer.from(serverKey, "base64")).update(message).digest("base64");
  expect(signature).toBe("6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
});

test.each(["", "two words", "passwörd", "line\nend"])("rejects the password %j", (password) => {
  expect(() => scramVerifier(password)).toThrow(/printable ASCII/);
});
