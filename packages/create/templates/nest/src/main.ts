import { NestFactory } from "@nestjs/core";
import cookieParser from "cookie-parser";
import type { NextFunction, Request, Response } from "express";
import { AppModule } from "./app.module.js";
import { messagePage } from "./pages.js";
import { SocialService } from "./social.service.js";

const app = await NestFactory.create(AppModule, { logger: ["warn", "error"] });
app.use(cookieParser());
const { ownOrigin, returnUrl } = app.get(SocialService);
// Only this application's own pages may post its forms.
app.use((request: Request, response: Response, next: NextFunction) => {
  if (request.method !== "POST" || request.headers.origin === ownOrigin) return next();
  response.status(403).send(messagePage("Open another address", `This application runs at ${ownOrigin}.`, ownOrigin));
});
await app.listen(Number(process.env["PORT"] ?? (new URL(returnUrl).port || 3000)));
console.log(`The application runs at ${ownOrigin}`);
