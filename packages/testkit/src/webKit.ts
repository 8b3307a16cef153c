import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { Builder, type WebDriver } from "selenium-webdriver";
import type { EngineBrowser } from "./enginePage.ts";
import { eventually } from "./eventually.ts";
import { serve } from "./serve.ts";
import { webKitPage, webKitSession } from "./webKitPage.ts";

/** Ends a script that hangs. The default of 30 seconds is too short for an accessibility check on a busy machine. */
const SCRIPT_TIMEOUT_MS = 180_000;

/** WebKitGTK's MiniBrowser on its own screen. A driver has one session, so each user has a driver. */
export async function launchWebKit(): Promise<EngineBrowser> {
  // Two servers that choose a number at the same time may choose the same one.
  const display = `:${100 + (process.pid % 50_000)}`;
  const screen = spawn("Xvfb", [display, "-displayfd", "3", "-screen", "0", "1280x900x24", "-nolisten", "tcp"], {
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ended = once(screen, "exit").then(() => Promise.reject(new Error("Xvfb did not start.")));
  await Promise.race([once(screen.stdio[3] as Readable, "data"), ended]);
  const started: (() => Promise<void>)[] = [() => end(screen)];
  return {
    newPage: async () => {
      // The driver does not choose a port itself.
      const { url: server, close } = await serve(() => {});
      await close();
      const child = spawn("WebKitWebDriver", [`--port=${new URL(server).port}`], {
        env: { ...process.env, DISPLAY: display },
        stdio: ["ignore", "ignore", "inherit"],
      });
      started.push(() => end(child));
      await eventually(() => fetch(`${server}/status`));
      const driver = await startSession(server);
      started.push(() => driver.quit());
      await driver.manage().setTimeouts({ script: SCRIPT_TIMEOUT_MS });
      return webKitPage(webKitSession(driver), await driver.getWindowHandle());
    },
    close: async () => {
      for (const stop of started.reverse()) await stop();
    },
  };
}

function startSession(server: string): Promise<WebDriver> {
  const capabilities = { browserName: "MiniBrowser", "webkitgtk:browserOptions": { args: ["--automation"] } };
  return new Builder().usingServer(server).withCapabilities(capabilities).build();
}

async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  if (child.kill()) await ended;
}
