import type { ArgumentsHost, ExceptionFilter } from "@nestjs/common";
import { Catch } from "@nestjs/common";
import { SocialConnectError } from "@social-connect/sdk";
import type { Response } from "express";
import { messagePage } from "./pages.js";
import { errorText } from "./texts.js";

/** Errors of the SDK contain no key, token or argument, so they can be logged. */
@Catch(SocialConnectError)
export class SocialErrorFilter implements ExceptionFilter<SocialConnectError> {
  catch(error: SocialConnectError, host: ArgumentsHost): void {
    console.error(JSON.stringify(error));
    const response = host.switchToHttp().getResponse<Response>();
    response.status(error.code === "NOT_FOUND" ? 404 : 502).send(messagePage("That did not work", errorText(error)));
  }
}
