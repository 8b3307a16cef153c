import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ensurePanelBuilt } from "./ensurePanelBuilt.ts";

const BUILD_TIMEOUT_MS = 180_000;

test(
  "concurrent calls share one complete build without inline scripts",
  async () => {
    const folders = await Promise.all([ensurePanelBuilt(), ensurePanelBuilt(), ensurePanelBuilt()]);
    expect(new Set(folders).size).toBe(1);
    const [folder = ""] = folders;
    const page = await readFile(join(folder, "index.html"), "utf8");
    expect(page).toContain('<meta property="csp-nonce" nonce="__CSP_NONCE__">');
    // The Content Security Policy would block inline code and other origins.
    expect(page.match(/<script(?![^>]*\ssrc="\/panel\/)[^>]*>/g)).toBeNull();
    expect(page.match(/<style[^>]*>/g)).toEqual(['<style nonce="__CSP_NONCE__">']);
    expect(page.match(/\sstyle=|\son[a-z]+=|https?:\/\//g)).toBeNull();
    const named = [...page.matchAll(/(?:src|href)="\/panel\/(assets\/[^"]+)"/g)].map((match) => match[1] ?? "");
    expect(named.length).toBeGreaterThan(1);
    const files = (await readdir(join(folder, "assets"))).map((name) => `assets/${name}`);
    expect(named.filter((name) => !files.includes(name))).toEqual([]);
    // File names with a hash can be cached forever; each text file has compressed copies.
    expect(files.filter((name) => !/-[\w-]{8}\.[a-z]+(?:\.br|\.gz)?$/.test(name))).toEqual([]);
    expect(files.filter((name) => name.endsWith(".js.br")).length).toBeGreaterThan(0);
  },
  BUILD_TIMEOUT_MS,
);
