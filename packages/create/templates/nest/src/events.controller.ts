import { Controller, Post, Req, Res } from "@nestjs/common";
import type { Request, Response } from "express";
import { handleEvent } from "./events.js";

@Controller("events")
export class EventsController {
  // #region events
  @Post()
  async receive(@Req() request: Request & { rawBody?: Buffer }, @Res() response: Response): Promise<void> {
    response.status(await handleEvent({ headers: request.headers, body: request.rawBody ?? null })).end();
  }
  // #endregion events
}
