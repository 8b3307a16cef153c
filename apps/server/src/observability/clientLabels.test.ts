import { readClientVersion } from "@social-connect/domain";
import { expect, test } from "vitest";
import { ClientLabels, MOST_VERSIONS, MOST_VERSIONS_OF_APPLICATION } from "./clientLabels.ts";

const client = (version: number) => readClientVersion(`sdk/1.0.${version}`);

test("an application that sends many versions names only the first, and takes no labels from others", () => {
  const labels = new ClientLabels();
  const flooding = Array.from({ length: 1_000 }, (_, version) => labels.versionOf(client(version), "flooding"));
  expect(new Set(flooding)).toHaveLength(MOST_VERSIONS_OF_APPLICATION + 1);
  expect(labels.versionOf(client(2_000), "another")).toBe("1.0.2000");
  expect(labels.versionOf(client(0), "another")).toBe("1.0.0");
});

test("a process names a bounded number of versions", () => {
  const labels = new ClientLabels();
  const named = Array.from({ length: 200 }, (_, version) => labels.versionOf(client(version), `client-${version}`));
  expect(new Set(named)).toHaveLength(MOST_VERSIONS + 1);
  expect(named.at(-1)).toBe("other");
});

test("a caller without authentication adds no version", () => {
  const labels = new ClientLabels();
  expect(labels.versionOf(client(1), null)).toBe("other");
  expect(labels.versionOf(client(1), "client")).toBe("1.0.1");
  expect(labels.versionOf(client(1), null)).toBe("1.0.1");
});

test("a request without a version has an empty label", () => {
  const labels = new ClientLabels();
  expect(labels.versionOf(readClientVersion(null), "client")).toBe("");
  expect(labels.versionOf(readClientVersion("<script>"), "client")).toBe("");
});
