import { expect, test } from "vitest";
import { type Installed, sbomOf, schemaProblem } from "./sbom.ts";

const INSTALLED: Installed = {
  "node_modules/@social-connect/thing": {
    version: "1.2.3",
    license: "MIT",
    dependencies: { left: "^1", "@a/b": "^2" },
  },
  "node_modules/left": {
    version: "1.0.0",
    license: "(MIT OR Apache-2.0)",
    integrity: `sha512-${Buffer.from("a".repeat(64)).toString("base64")}`,
    dependencies: { right: "^1" },
  },
  "node_modules/left/node_modules/right": { version: "1.5.0" },
  "node_modules/right": { version: "3.0.0" },
  "node_modules/@a/b": { version: "2.0.0", optionalDependencies: { absent: "^1" } },
  "node_modules/stranger": { version: "9.9.9" },
};

test("a bill names the package and everything that is installed for it, and nothing else", async () => {
  const bill = JSON.parse(await sbomOf("@social-connect/thing", INSTALLED));
  expect(bill).toMatchObject({ bomFormat: "CycloneDX", specVersion: "1.6" });
  expect(bill.metadata.component).toMatchObject({ group: "@social-connect", name: "thing", version: "1.2.3" });
  const shown = bill.components.map(({ purl }: { purl: string }) => purl).sort();
  expect(shown).toEqual(["pkg:npm/%40a/b@2.0.0", "pkg:npm/left@1.0.0", "pkg:npm/right@1.5.0"]);
  const left = bill.components.find(({ name }: { name: string }) => name === "left");
  expect(left.hashes).toEqual([{ alg: "SHA-512", content: Buffer.from("a".repeat(64)).toString("hex") }]);
  const edges = bill.dependencies.find(({ ref }: { ref: string }) => ref === "left@1.0.0");
  expect(edges.dependsOn).toEqual(["right@1.5.0|node_modules/left/node_modules/right"]);
});

test("a bill names packages whose code the build contains", async () => {
  const bundled = [{ name: "@c/d", version: "4.0.0", license: "ISC" }];
  const bill = JSON.parse(await sbomOf("@social-connect/thing", INSTALLED, bundled));
  const shown = bill.components.find(({ purl }: { purl: string }) => purl === "pkg:npm/%40c/d@4.0.0");
  expect(shown.licenses).toEqual([{ license: { name: "ISC" } }]);
  const [ofThing] = bill.dependencies.filter(({ dependsOn }: { dependsOn?: string[] }) =>
    dependsOn?.includes(shown["bom-ref"]),
  );
  expect(ofThing.ref).toBe("@social-connect/thing@1.2.3");
});

test("a package that is not installed has no bill", async () => {
  await expect(sbomOf("@social-connect/other", INSTALLED)).rejects.toThrow("not installed");
});

test("validates against the schema", async () => {
  expect(await schemaProblem(await sbomOf("@social-connect/thing", INSTALLED))).toBeNull();
  expect(await schemaProblem('{"bomFormat":"CycloneDX","specVersion":"1.6","components":[{"type":"none"}]}')).toContain(
    "/components/0",
  );
});
