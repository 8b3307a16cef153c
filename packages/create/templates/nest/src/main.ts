import { NestFactory } from "@nestjs/core";
import cookieParser from "cookie-parser";
import { AppModule } from "./app.module.js";
import { SocialService } from "./social.service.js";

const app = await NestFactory.create(AppModule, { logger: ["warn", "error"] });
app.use(cookieParser());
const { origin, port } = new URL(app.get(SocialService).returnUrl);
await app.listen(Number(process.env["PORT"] ?? (port || 3000)));
console.log(`The application runs at ${origin}`);
