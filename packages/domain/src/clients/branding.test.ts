import { describe, expect, test } from "vitest";
import { type Branding, brandingProblem, contrastingColor, contrastOf, textColorOn } from "./branding.ts";
import { LOGO_LIMITS, logoDataUrl, logoProblem } from "./logo.ts";

/** The smallest files that have the headers of their format. */

const ascii = (text: string) => [...text].map((character) => character.charCodeAt(0));
const big32 = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
const little = (value: number, bytes: number) => Array.from({ length: bytes }, (_, at) => (value >>> (8 * at)) & 255);
const chunk = (type: string, data: readonly number[]) => [...big32(data.length), ...ascii(type), ...data, 0, 0, 0, 0];

function png(width: number, height: number, { isAnimated = false } = {}): Uint8Array {
  return Uint8Array.from([
    ...ascii("\x89PNG\r\n\x1a\n"),
    ...chunk("IHDR", [...big32(width), ...big32(height), 8, 2, 0, 0, 0]),
    ...(isAnimated ? chunk("acTL", [...big32(2), ...big32(0)]) : []),
    ...chunk("IEND", []),
  ]);
}

function jpeg(width: number, height: number): Uint8Array {
  const big16 = (value: number) => [value >>> 8, value & 255];
  // A segment before the frame, as every camera writes one.
  const segment = [0xff, 0xe0, ...big16(4), 0, 0];
  const frame = [0xff, 0xc0, ...big16(8), 8, ...big16(height), ...big16(width), 1];
  return Uint8Array.from([0xff, 0xd8, ...segment, ...frame, 0xff, 0xd9]);
}

function webp(kind: "VP8 " | "VP8L" | "VP8X", width: number, height: number, { isAnimated = false } = {}): Uint8Array {
  const data = {
    "VP8 ": [0, 0, 0, 0x9d, 0x01, 0x2a, ...little(width, 2), ...little(height, 2)],
    VP8L: [0x2f, ...little((width - 1) | ((height - 1) << 14), 4), 0, 0, 0, 0, 0],
    VP8X: [isAnimated ? 2 : 0, 0, 0, 0, ...little(width - 1, 3), ...little(height - 1, 3)],
  }[kind];
  const body = [...ascii("WEBP"), ...ascii(kind), ...little(data.length, 4), ...data];
  return Uint8Array.from([...ascii("RIFF"), ...little(body.length, 4), ...body]);
}

function dataUrl(mediaType: string, bytes: Uint8Array): string {
  return `data:${mediaType};base64,${btoa(String.fromCharCode(...bytes))}`;
}

const BLACK_PNG = dataUrl("image/png", png(1, 1));

describe("what a client may set", () => {
  const ACCEPTED: readonly (readonly [keyof Branding, string])[] = [
    ["brandColor", "#0a5c36"],
    ["brandColor", "#FFFFFF"],
    ["supportAddress", "mailto:help@shop.example"],
    ["supportAddress", "https://shop.example/help?from=connect"],
    ["privacyUrl", "https://shop.example/privacy#data"],
  ];
  test.each(ACCEPTED)("%s accepts %s", (field, value) => {
    expect(brandingProblem(field, value)).toBeNull();
  });

  const REFUSED: readonly (readonly [keyof Branding, string])[] = [
    ["brandColor", "#fff"],
    ["brandColor", "red"],
    ["brandColor", "#0a5c36;}body{display:none"],
    ["brandColor", " #0a5c36"],
    ["brandColor", "#0a5c36\n"],
    ["supportAddress", "help@shop.example"],
    ["supportAddress", "mailto:help@shop.example?bcc=other@shop.example"],
    ["supportAddress", "mailto:one@shop.example,two@shop.example"],
    ["supportAddress", "tel:+123456"],
    ["supportAddress", "javascript:alert(1)"],
    ["privacyUrl", "http://shop.example/privacy"],
    ["privacyUrl", "mailto:help@shop.example"],
    ["privacyUrl", "https://user:secret@shop.example/"],
    ["privacyUrl", "https://shop.example"],
    ["privacyUrl", "https://shop.example/\u202Ecod.exe"],
    ["privacyUrl", `https://shop.example/${"x".repeat(2_048)}`],
  ];
  test.each(REFUSED)("%s refuses %j", (field, value) => {
    expect(brandingProblem(field, value)).toMatch(/^[A-Z].*/);
  });
});

describe("a logo", () => {
  const FORMATS = { PNG: png(64, 32), JPEG: jpeg(64, 32), "WebP (lossy)": webp("VP8 ", 64, 32) } as const;
  test.each(
    Object.entries({
      ...FORMATS,
      "WebP (lossless)": webp("VP8L", 64, 32),
      "WebP (extended)": webp("VP8X", 64, 32),
    }),
  )("of the format %s is accepted up to the largest dimensions", (_, bytes) => {
    expect(logoProblem(logoDataUrl(bytes) ?? "")).toBeNull();
  });

  test.each([
    ["PNG", png],
    ["JPEG", jpeg],
    ["WebP (lossy)", (width: number, height: number) => webp("VP8 ", width, height)],
    ["WebP (lossless)", (width: number, height: number) => webp("VP8L", width, height)],
    ["WebP (extended)", (width: number, height: number) => webp("VP8X", width, height)],
  ])("of the format %s has at most 1,024 pixels each way", (_, make) => {
    const { pixels } = LOGO_LIMITS;
    expect(logoProblem(logoDataUrl(make(pixels, pixels)) ?? "")).toBeNull();
    expect(logoProblem(logoDataUrl(make(pixels + 1, 1)) ?? "")).toContain("1024 pixels");
    expect(logoProblem(logoDataUrl(make(1, pixels + 1)) ?? "")).toContain("1024 pixels");
  });

  test("has at most 16,384 bytes", () => {
    const padded = (length: number) => logoDataUrl(Uint8Array.from({ length }, (_, at) => png(1, 1)[at] ?? 0)) ?? "";
    expect(logoProblem(padded(LOGO_LIMITS.bytes))).toBeNull();
    expect(logoProblem(padded(LOGO_LIMITS.bytes + 1))).toContain("16384 bytes");
    expect(logoProblem(padded(LOGO_LIMITS.bytes + 100))).toContain("16384 bytes");
  });

  test("must not be animated", () => {
    expect(logoProblem(logoDataUrl(png(1, 1, { isAnimated: true })) ?? "")).toContain("animated");
    expect(logoProblem(logoDataUrl(webp("VP8X", 1, 1, { isAnimated: true })) ?? "")).toContain("animated");
  });

  test.each([
    ["a remote address", "https://shop.example/logo.png"],
    ["an SVG", `data:image/svg+xml;base64,${btoa("<svg onload='alert(1)'/>")}`],
    ["a page", `data:text/html;base64,${btoa("<script>alert(1)</script>")}`],
    ["a page that calls itself an image", dataUrl("image/png", new TextEncoder().encode("<script>alert(1)</script>"))],
    ["an image that calls itself another", dataUrl("image/png", jpeg(1, 1))],
    ["parameters", BLACK_PNG.replace(";base64", ";charset=utf-8;base64")],
    ["text that is not base64", BLACK_PNG.replace(/....$/, "%%%%")],
    ["a second base64 form of the same bytes", withAnotherEnd(png(1, 1))],
    ["a quote that would end an attribute", `${BLACK_PNG}" onerror="alert(1)`],
    ["a cut image", dataUrl("image/png", png(1, 1).slice(0, 20))],
    ["no image", ""],
  ])("is not %s", (_, value) => {
    expect(logoProblem(value)).toMatch(/^The logo must be/);
  });

  /** The bits that base64 leaves unused are not zero. */
  function withAnotherEnd(bytes: Uint8Array): string {
    return dataUrl("image/png", Uint8Array.from([...bytes, 0])).replace(/A==$/, "B==");
  }

  test("of zero pixels is refused", () => {
    expect(logoProblem(logoDataUrl(png(0, 1)) ?? "")).toContain("pixels");
  });

  test("is not made of another file", () => {
    expect(logoDataUrl(new TextEncoder().encode("GIF89a"))).toBeNull();
  });
});

test("a button of any color has the contrasts of WCAG AA, its text and its edge, on light and dark pages", () => {
  for (let red = 0; red < 256; red += 30)
    for (let green = 0; green < 256; green += 30)
      for (let blue = 0; blue < 256; blue += 30) {
        const color = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
        for (const ground of ["#ffffff", "#1c1f21"]) {
          const shown = contrastingColor(color, ground);
          expect(contrastOf(shown, ground), color).toBeGreaterThanOrEqual(3);
          expect(contrastOf(shown, textColorOn(shown)), color).toBeGreaterThanOrEqual(4.5);
        }
      }
  expect(contrastingColor("#0A5C36", "#ffffff")).toBe("#0a5c36");
  expect(textColorOn("#ffffff")).toBe("#000000");
  expect(textColorOn("#000000")).toBe("#ffffff");
  expect(contrastOf("#ffffff", "#000000")).toBeCloseTo(21, 5);
});
