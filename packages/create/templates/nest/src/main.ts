import { NestFactory } from "@nestjs/core";
import cookieParser from "cookie-parser";
import type { Express, NextFunction, Request, Response } from "express";
import { AppModule } from "./app.module.js";
import { messagePage, PAGE_HEADERS } from "./pages.js";
import { SocialService } from "./social.service.js";

// #region raw-body
// Events are signed, so their route needs the body as it was sent.
const app = await NestFactory.create(AppModule, { rawBody: true, logger: ["warn", "error"] });
// #endregion raw-body
(app.getHttpAdapter().getInstance() as Express).disable("x-powered-by");
app.use((_request: Request, response: Response, next: NextFunction) => {
  response.set(PAGE_HEADERS);
  next();
});
app.use(cookieParser());
const { ownOrigin, returnUrl } = app.get(SocialService);
// Only this application's own pages may post its forms. A signature authenticates events.
app.use((request: Request, response: Response, next: NextFunction) => {
  if (request.method !== "POST" || request.path === "/events" || request.headers.origin === ownOrigin) return next();
  response.status(403).send(messagePage("Open another address", `This application runs at ${ownOrigin}.`, ownOrigin));
});
// Without a sign-in, only this machine may reach it. In a container, set HOST to 0.0.0.0.
await app.listen(Number(process.env["PORT"] ?? (new URL(returnUrl).port || 3000)), process.env["HOST"] ?? "localhost");
console.log(`The application runs at ${ownOrigin}`);
