import type { RawBodyRequest } from "@nestjs/common";
import { Controller, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import { handleEvent } from "./events.js";

// #region events
@Controller("events")
export class EventsController {
  @Post()
  async receive(@Req() request: RawBodyRequest<Request>, @Res() response: Response): Promise<void> {
    response.status(await handleEvent({ headers: request.headers, body: request.rawBody ?? null })).end();
  }
}
// #endregion events
