import { Module } from "@nestjs/common";
import { APP_FILTER } from "@nestjs/core";
import { AccountsController } from "./accounts.controller.js";
import { EventsController } from "./events.controller.js";
import { SocialService } from "./social.service.js";
import { SocialErrorFilter } from "./social-error.filter.js";

@Module({
  controllers: [AccountsController, EventsController],
  providers: [SocialService, { provide: APP_FILTER, useClass: SocialErrorFilter }],
})
export class AppModule {}
