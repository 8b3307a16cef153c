import { expect, test } from "vitest";
import { type Bill, billOf } from "./sbom.ts";

const component = (name: string, version: string) => ({
  ...{ "bom-ref": `${name}@${version}`, type: "library", name, version },
  purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
});
const INSTALLED: Bill & { readonly specVersion: string } = {
  specVersion: "1.5",
  metadata: { component: component("consumer", "0.0.0") },
  components: [
    component("@social-connect/thing", "1.2.3"),
    component("left", "1.0.0"),
    component("right", "1.5.0"),
    component("right", "3.0.0"),
    component("@a/b", "2.0.0"),
    component("stranger", "9.9.9"),
  ],
  dependencies: [
    { ref: "@social-connect/thing@1.2.3", dependsOn: ["left@1.0.0", "@a/b@2.0.0"] },
    { ref: "left@1.0.0", dependsOn: ["right@1.5.0"] },
    { ref: "right@1.5.0", dependsOn: ["left@1.0.0"] },
    { ref: "@a/b@2.0.0" },
    { ref: "stranger@9.9.9", dependsOn: ["right@3.0.0"] },
  ],
};
const purlsOf = ({ components }: Bill) => components.map(({ purl }) => purl).sort();

test("a bill names the package and everything that is installed for it, and nothing else", () => {
  const bill = billOf("@social-connect/thing", INSTALLED);
  expect(bill).toMatchObject({ specVersion: "1.5", metadata: { component: { name: "@social-connect/thing" } } });
  expect(purlsOf(bill)).toEqual(["pkg:npm/%40a/b@2.0.0", "pkg:npm/left@1.0.0", "pkg:npm/right@1.5.0"]);
  expect(bill.dependencies.map(({ ref }) => ref).sort()).toEqual([
    ...["@a/b@2.0.0", "@social-connect/thing@1.2.3", "left@1.0.0", "right@1.5.0"],
  ]);
});

test("a bill names packages whose code the build contains", () => {
  const bundled = [{ name: "@c/d", version: "4.0.0", license: "(ISC OR MIT)" }];
  const bill = billOf("@social-connect/thing", INSTALLED, bundled);
  const shown = bill.components.find(({ purl }) => purl === "pkg:npm/%40c/d@4.0.0");
  expect(shown?.licenses).toEqual([{ expression: "(ISC OR MIT)" }]);
  const ofThing = bill.dependencies.find(({ dependsOn }) => dependsOn?.includes(shown?.["bom-ref"] ?? ""));
  expect(ofThing?.ref).toBe("@social-connect/thing@1.2.3");
});

test("a package that is not installed has no bill", () => {
  expect(() => billOf("@social-connect/other", INSTALLED)).toThrow("not installed");
});
