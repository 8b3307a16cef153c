import { Injectable } from "@nestjs/common";
import type { PublishedWindow, Subject } from "@social-connect/sdk";
import { SocialConnect, TimeoutError } from "@social-connect/sdk";

// #region client
/** `npm run service` writes the settings to .env; in production they come from your deployment. */
@Injectable()
export class SocialService {
  /** Where users return after the provider's consent page. It is registered with the service. */
  readonly returnUrl = urlSetting("RETURN_URL");
  /** Where users open this application. The service accepts a launch from this origin only. */
  readonly ownOrigin = new URL(this.returnUrl).origin;
  private readonly tenantKey = setting("SOCIAL_CONNECT_TENANT");
  private readonly social = new SocialConnect({
    baseUrl: setting("SOCIAL_CONNECT_URL"),
    key: setting("SOCIAL_CONNECT_KEY"),
  });

  /** The calls for one of your users. `userId` is your own stable id of the signed-in user. */
  subjectOf(userId: string): Subject {
    return this.social.forSubject({ tenantKey: this.tenantKey, externalSubjectId: userId });
  }

  /** The providers whose accounts can be linked now. */
  async availableProviders(): Promise<readonly string[]> {
    const { providers } = await this.social.readiness();
    return providers.filter(({ available }) => available).map(({ provider }) => provider);
  }

  /** The days that are shown: the service reads their posts after a connect, and daily. */
  shownDays(): PublishedWindow {
    return this.social.recentWindow(7);
  }

  /** Reads the posts of an account from the provider again. After five seconds, the page shows that they are being read. */
  async refreshPosts(user: Subject, id: string): Promise<void> {
    try {
      await user.refresh(id).wait({ deadline: new Date(Date.now() + 5_000) });
    } catch (error) {
      if (!TimeoutError.is(error)) throw error;
    }
  }
}
// #endregion client

function setting(name: string): string {
  const value = process.env[name];
  if (value) return value;
  throw new Error(`${name} is not set. Start the service in another terminal: npm run service. It writes .env.`);
}

function urlSetting(name: string): string {
  const value = setting(name);
  if (/^https?:/.test(value) && URL.canParse(value)) return value;
  throw new Error(`${name} is not an absolute URL, like https://app.example/connected.`);
}
