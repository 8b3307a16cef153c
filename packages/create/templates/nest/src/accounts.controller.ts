import { Body, Controller, Get, Param, Post, Query, Redirect, Req, Res } from "@nestjs/common";
import type { SocialProvider } from "@social-connect/sdk";
import { launchPage, TimeoutError } from "@social-connect/sdk";
import type { Request, Response } from "express";
import { homePage, messagePage, postsPage } from "./pages.js";
import { SocialService } from "./social.service.js";

/** Remembers the attempt that this browser started. */
const ATTEMPT = "attempt";
const SHOWN_MS = 30 * 24 * 3_600_000;

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
      Array.fromAsync(user.connections()),
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
  ): Promise<void> {
    const { returnUrl } = this.social;
    const user = this.social.subjectOf(signedInUserId(request));
    const capabilities = ["PROFILE", "CONTENT_LIST", "CONTENT_METRICS"] as const;
    const attempt = await user.connect({ provider, capabilities, returnUrl });
    // `lax`: the browser sends it when the user returns from the provider.
    const cookie = { httpOnly: true, sameSite: "lax", secure: returnUrl.startsWith("https:") } as const;
    const page = launchPage(attempt);
    // The page posts a one-time token to the service. Its headers must not change.
    response.status(200).cookie(ATTEMPT, attempt.id, cookie).set(page.headers).send(page.html);
  }
  // #endregion connect

  // #region connected
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
      else
        response.send(messagePage("Nothing was linked", `The attempt ended ${result.status} (${result.resultCode}).`));
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
      response.send(messagePage("One moment", "The service is not ready yet.", request.originalUrl));
    }
  }
  // #endregion connected

  // #region posts
  @Get("accounts/:id")
  async posts(@Req() request: Request, @Param("id") id: string): Promise<string> {
    const user = this.social.subjectOf(signedInUserId(request));
    const publishedBefore = new Date();
    const window = { publishedAfter: new Date(publishedBefore.getTime() - SHOWN_MS), publishedBefore };
    const [account, posts] = await Promise.all([user.connection(id), user.content(id, window).page()]);
    return postsPage(account, posts);
  }
  // #endregion posts

  @Post("accounts/:id/disconnect")
  @Redirect("/", 303)
  async disconnect(@Req() request: Request, @Param("id") id: string): Promise<void> {
    await this.social.subjectOf(signedInUserId(request)).disconnect(id);
  }
}
