import { Body, Controller, Get, Param, Post, Query, Req, Res } from "@nestjs/common";
import type { SocialProvider } from "@social-connect/sdk";
import { launchPage, TimeoutError } from "@social-connect/sdk";
import type { Request, Response } from "express";
import { disconnectPage, homePage, messagePage, postsPage } from "./pages.js";
import { SocialService } from "./social.service.js";
import { REMOVE_APP, resultText } from "./texts.js";

/** Remembers the attempt that this browser started. */
const ATTEMPT = "attempt";

/**
 * PLACEHOLDER for your sign-in: return the id of the signed-in user, which your guard keeps in the request. Never take it
 * from a parameter, a form or a header that the browser sets.
 */
function signedInUserId(_request: Request): string {
  return "user-1";
}

@Controller()
export class AccountsController {
  constructor(private readonly social: SocialService) {}

  @Get()
  async home(@Req() request: Request): Promise<string> {
    const user = this.social.subjectOf(signedInUserId(request));
    const [accounts, providers] = await Promise.all([
      user.connections().toArray({ limit: 100 }),
      this.social.availableProviders(),
    ]);
    return homePage(accounts, providers);
  }

  // #region connect
  @Post("connect")
  async connect(
    @Req() request: Request,
    @Res() response: Response,
    @Body("provider") provider: SocialProvider,
    @Body("reconnectConnectionId") reconnectConnectionId?: string,
  ): Promise<void> {
    const { returnUrl } = this.social;
    const user = this.social.subjectOf(signedInUserId(request));
    const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
    const attempt = await user.connect({ provider, capabilities, returnUrl, reconnectConnectionId });
    // `lax`: the browser sends it when the user returns from the provider.
    const cookie = { httpOnly: true, sameSite: "lax", secure: returnUrl.startsWith("https:") } as const;
    const page = launchPage(attempt);
    // The page posts a one-time token to the service. Its headers must not change.
    response.status(200).cookie(ATTEMPT, attempt.id, cookie).set(page.headers).send(page.html);
  }
  // #endregion connect

  @Get("connected")
  async connected(
    @Req() request: Request,
    @Res() response: Response,
    @Query("ss_session_id") sessionId: unknown,
  ): Promise<void> {
    // Anyone can open this URL, so the id must equal that of the attempt which this browser started.
    const attemptId: unknown = request.cookies[ATTEMPT];
    if (typeof attemptId !== "string" || sessionId !== attemptId) {
      response.status(404).send(messagePage("Nothing to finish", "You did not start this here."));
      return;
    }
    const user = this.social.subjectOf(signedInUserId(request));
    try {
      const result = await user.connectResult(attemptId).wait({ deadline: new Date(Date.now() + 5_000) });
      if (result.status === "COMPLETED") response.redirect(303, `/accounts/${result.connectionId}`);
      else response.send(messagePage("Nothing was linked", resultText(result)));
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      response.send(messagePage("One moment", "The service is not ready yet.", request.originalUrl));
    }
  }

  @Get("accounts/:id")
  async posts(@Req() request: Request, @Param("id") id: string): Promise<string> {
    const user = this.social.subjectOf(signedInUserId(request));
    const window = this.social.shownDays();
    const [account, posts] = await Promise.all([user.connection(id), user.content(id, window).page()]);
    return postsPage(account, posts);
  }

  @Post("accounts/:id/refresh")
  async refresh(@Req() request: Request, @Res() response: Response, @Param("id") id: string): Promise<void> {
    await this.social.refreshPosts(this.social.subjectOf(signedInUserId(request)), id);
    response.redirect(303, `/accounts/${encodeURIComponent(id)}`);
  }

  @Get("accounts/:id/disconnect")
  askToDisconnect(@Param("id") id: string): string {
    return disconnectPage(id);
  }

  @Post("accounts/:id/disconnect")
  async disconnect(@Req() request: Request, @Res() response: Response, @Param("id") id: string): Promise<void> {
    const { result } = await this.social.subjectOf(signedInUserId(request)).disconnect(id);
    if (result.creatorAction === null) response.redirect(303, "/");
    else response.status(200).send(messagePage("Disconnected", REMOVE_APP));
  }
}
