import { accountHolds, DELETED, REMOVED, REVOCABLE, revocableHolds, UNRELATED_ACCOUNTS } from "../context/accounts.ts";
import { isSignedWith, type ReceivedEvent } from "../context/events.ts";
import { DAY_MS, daysBack, MAX_POLLS } from "../context/jobs.ts";
import { issuerCallback } from "../context/steps.ts";
import { PROVIDER_FACTS } from "../description/providers.ts";
import { defineCases } from "../harness/defineCase.ts";

const RECEIPTS = ["receipt.revoke", "receipt.erase"];

/** What an application's backend is told of each change. */
export const EVENT_CASES = defineCases({ needs: ["provider", "operator", "events"] }, (test) => {
  test("S4.events.connect-completed: A completed attempt is told once, with its connection and the time of the change.", async (t) => {
    await using receiver = await t.receiver();
    const beganAt = await t.now();
    const { scope, session, result } = await t.attempt();
    const { body } = await t.arrives(receiver, "connect.completed");
    const { connectionId } = result;
    const about = { provider: "PROVIDER_C", ...scope, attemptId: session.id, connectionId };
    t.equal(body.data, { ...about, status: "COMPLETED", code: null }, "data");
    const at = Date.parse(body.timestamp);
    t.holds(at >= beganAt.getTime() && at <= (await t.now()).getTime(), "it has the time of the change", body);
    await t.onlyArrive(receiver, ["connect.completed"]);
  });
  for (const [how, choice, status, code] of [
    ["denied", { decision: "deny" }, "DENIED", "USER_DENIED"],
    ["failed", { account: "not-a-tester" }, "FAILED", "NOT_A_TESTER"],
  ] as const)
    test(`S4.events.connect-${how}: An attempt that ends ${status} is told without a connection, with its code.`, async (t) => {
      await using receiver = await t.receiver();
      const { session } = await t.attempt(choice);
      await t.arrives(receiver, `connect.${how}`, { attemptId: session.id, connectionId: null, status, code });
      await t.onlyArrive(receiver, [`connect.${how}`]);
    });
  test("S4.events.connect-expired: An attempt that nobody finished is told at its deadline.", async (t) => {
    await using receiver = await t.receiver();
    const { id: attemptId, expiresAt } = await t.createSession();
    await t.until(expiresAt, 1_000);
    const code = "DEADLINE_PASSED";
    const { body } = await t.arrives(receiver, "connect.expired", { attemptId, status: "EXPIRED", code });
    t.near(body.timestamp, expiresAt, 60_000, "timestamp");
  }).with({ lane: "timeline", needs: ["clock", "operator", "events"] });
  test("S4.events.connect-canceled: A canceled attempt sends nothing.", async (t) => {
    await using receiver = await t.receiver();
    const session = await t.createSession();
    await t.setEnabled(false);
    await t.setEnabled(true);
    t.ends(await t.resultOf(session), "CANCELED", "APPLICATION_DISABLED");
    await t.onlyArrive(receiver, []);
  }).with({ needs: ["operator", "events"] });
  test("S4.events.reconnect-required: A removal of the app that the provider reports is told, and so is the reconnect.", async (t) => {
    const [provider, account] = REMOVED;
    await using receiver = await t.receiver();
    const { scope, connectionId } = await t.connectAndSettle({ provider, account });
    await t.provider.removeApp(provider, account);
    const ended = { ...scope, connectionId, status: "RECONNECT_REQUIRED", code: "AUTHORIZATION_REMOVED" };
    await t.arrives(receiver, "connection.reconnect_required", ended);
    await t.connect({ provider, account, scope, reconnectConnectionId: connectionId });
    await t.arrives(receiver, "connection.restored", { connectionId, status: "CONNECTED", code: null });
    const completed = ["connect.completed", "connect.completed"];
    await t.onlyArrive(receiver, [...completed, "connection.reconnect_required", "connection.restored"]);
  }).with({ holds: accountHolds(...REMOVED) });
  test("S4.events.grant-ended: A consent that has ended, as the service notices at a read, is told.", async (t) => {
    await using receiver = await t.receiver("connection.reconnect_required");
    const { connectionId } = await t.connect({ provider: "PROVIDER_A", account: "removed-app" });
    await t.arrives(receiver, "connection.reconnect_required", { connectionId });
  });
  test("S4.events.suspended: A connection that is suspended, and then restored, by the disconnect of another account is told.", async (t) => {
    const [provider, [given, kept]] = ["PROVIDER_A", UNRELATED_ACCOUNTS.PROVIDER_A] as const;
    await using receiver = await t.receiver();
    const first = await t.connectAndSettle({ provider, account: given });
    const { connectionId } = await t.connectAndSettle({ provider, account: kept, scope: first.scope });
    await t.whileRevoking(first, provider, given, async () => {
      await t.arrives(receiver, "connection.suspended", { connectionId, status: "SUSPENDED", code: null });
    });
    await t.arrives(receiver, "connection.restored", { connectionId });
  }).with({ holds: accountHolds("PROVIDER_A", ...UNRELATED_ACCOUNTS.PROVIDER_A) });
  test("S4.events.disconnected: A disconnect is told with who ended it, and with both receipts. A repeat sends nothing.", async (t) => {
    const [provider, account] = ["PROVIDER_A", REVOCABLE.PROVIDER_A] as const;
    await using receiver = await t.receiver();
    const connected = await t.connectAndSettle({ provider, account });
    const { scope, connectionId } = connected;
    const about = { provider, ...scope, connectionId };
    await t.arrives(receiver, "connect.completed", about);
    // An event that was not sent before the erasure is erased too.
    const { revokeJobId, eraseJobId } = await t.whileRevokeFails(provider, account, async () => {
      const disconnected = await t.disconnect(connected);
      await t.disconnect(connected);
      const ended = { ...about, status: "DISCONNECTED", code: "BY_APPLICATION" };
      await t.arrives(receiver, "connection.disconnected", ended);
      return disconnected;
    });
    const done = { ...about, status: "SUCCEEDED", code: null };
    await t.arrives(receiver, "receipt.revoke", { ...done, jobId: revokeJobId });
    await t.arrives(receiver, "receipt.erase", { ...done, jobId: eraseJobId });
    await t.onlyArrive(receiver, ["connect.completed", "connection.disconnected", ...RECEIPTS], RECEIPTS);
  }).with({ holds: revocableHolds("PROVIDER_A") });
  test("S4.events.receipts: The receipt of a revoke that the provider does not offer is told as FAILED, with its code.", async (t) => {
    await using receiver = await t.receiver(...RECEIPTS);
    const connected = await t.connectAndSettle();
    const { revokeJobId, eraseJobId } = await t.disconnect(connected);
    const about = { ...connected.scope, connectionId: connected.connectionId };
    const failed = { jobId: revokeJobId, status: "FAILED", code: "REVOKE_UNSUPPORTED" };
    await t.arrives(receiver, "receipt.revoke", { ...about, ...failed });
    await t.arrives(receiver, "receipt.erase", { ...about, jobId: eraseJobId, status: "SUCCEEDED", code: null });
  });
  test("S4.events.deleted-at-provider: A deletion that the provider requests is told as such, with the receipt of the erasure.", async (t) => {
    const [provider, account] = DELETED;
    await using receiver = await t.receiver();
    const isTold = () => receiver.types().includes("connection.disconnected");
    // An erasure may be faster than the delivery, but hardly each of several.
    for (let round = 0; round < MAX_POLLS && !isTold(); round += 1) {
      const all = await Promise.all(Array.from({ length: 5 }, () => t.connect({ provider, account })));
      await t.provider.requestDeletion(provider, account);
      for (const { connectionId } of all) await t.arrives(receiver, "receipt.erase", { connectionId });
    }
    await t.arrives(receiver, "connection.disconnected", { code: "AT_PROVIDER" });
  }).with({ holds: accountHolds(...DELETED) });
  test("S4.events.erased: After an erasure no event is stored besides the receipts, and nothing is sent again.", async (t) => {
    await using receiver = await t.receiver();
    const beganAt = await t.now();
    await t.disconnectAndErase(await t.connectAndSettle());
    for (const receipt of RECEIPTS) await t.arrives(receiver, receipt);
    const clientId = await t.clientId();
    const { list, resend } = t.driver("events");
    // Until then a receipt that arrived is sent again.
    const stored = () => list(clientId);
    await t.eventually("the receipts name no user", stored, (all) => all.every(({ externalSubjectId: id }) => !id));
    const arrived = receiver.types();
    await resend(clientId, beganAt);
    await t.onlyArrive(receiver, arrived, RECEIPTS);
  });
  test("S4.events.job-succeeded: A read that the application requested is told; the first and the scheduled reads are not.", async (t) => {
    await using receiver = await t.receiver();
    const connected = await t.connectAndSettle();
    const { id: jobId } = await t.scan(connected, daysBack(await t.now(), 30, 20));
    const about = { connectionId: connected.connectionId, jobId, status: "SUCCEEDED", code: null };
    await t.arrives(receiver, "job.succeeded", { provider: "PROVIDER_C", ...connected.scope, ...about });
    await t.onlyArrive(receiver, ["connect.completed", "job.succeeded"]);
  });
  test("S4.events.job-failed: A read that failed is told with its error code.", async (t) => {
    const provider = "PROVIDER_A";
    await using receiver = await t.receiver();
    const connected = await t.connectAndSettle({ provider });
    const { id: jobId } = await t.lookUp(connected, PROVIDER_FACTS[provider].postUrls[0]);
    await t.arrives(receiver, "job.failed", { jobId, status: "FAILED", code: "CONTENT_NOT_FOUND" });
  });
  for (const [how, choice, status] of [
    ["completed", { person: "ada" }, "COMPLETED"],
    ["denied", { person: "ada", decision: "deny" }, "DENIED"],
    ["failed", null, "FAILED"],
  ] as const)
    test(`S4.events.identity-${how}: A sign-in that ends ${status} is told without the user and the provider.`, async (t) => {
      await using receiver = await t.receiver();
      const { session, browser, page } = await t.launchedIdentity();
      const callback = choice === null ? null : await t.driver("identity").signIn(page, choice);
      await browser.get(callback ?? issuerCallback(page, { error: "server_error" }));
      const { body } = await t.arrives(receiver, `identity.${how}`);
      const [tenantKey] = t.application.tenantKeys;
      t.equal(body.data, { tenantKey, attemptId: session.id, status, code: null }, "data");
      await t.onlyArrive(receiver, [`identity.${how}`]);
    }).with({ needs: ["identity", "operator", "events"] });
});

const idOf = ({ headers }: ReceivedEvent) => headers.get("webhook-id");

/** How events reach an application's endpoints. */
export const EVENT_DELIVERY_CASES = defineCases({ needs: ["operator", "events"] }, (test) => {
  test("S4.events.test: A test event has no data and reaches an endpoint of any types.", async (t) => {
    await using receiver = await t.receiver("connect.completed");
    const id = await receiver.endpoint.sendTest();
    const event = await t.arrives(receiver, "test");
    t.equal([idOf(event), event.body.data], [id, {}], "its id and data");
  });
  for (const status of [500, 302, 404] as const)
    test(`S4.events.retry-${status}: An event whose receiver answered ${status} is sent again after seconds, with the same id and body.`, async (t) => {
      await using receiver = await t.receiver();
      receiver.answers(status);
      await receiver.endpoint.sendTest();
      await t.arrives(receiver, "test");
      const startedAt = await t.now();
      await t.untilReceived(receiver, "it is sent again", ({ length }) => length > 1);
      const waitedMs = (await t.now()).getTime() - startedAt.getTime();
      t.holds(waitedMs > 3_000, "after some seconds", waitedMs);
      const [first, second] = receiver.events;
      for (const event of receiver.events) t.isEvent(event);
      t.equal(receiver.events.map(idOf), [first && idOf(first), first && idOf(first)], "webhook-id");
      t.equal(second?.text, first?.text, "the body");
      t.holds(second !== undefined && isSignedWith(second, receiver.endpoint.secret), "it is signed again");
    });
  test("S4.events.gone: 410 turns an endpoint off. Turned on again, it receives nothing from before.", async (t) => {
    await using receiver = await t.receiver();
    receiver.answers(410);
    await receiver.endpoint.sendTest();
    await t.eventually("the endpoint is off", receiver.endpoint.isEnabled, (isEnabled) => !isEnabled);
    await t.connect();
    await receiver.endpoint.setEnabled(true);
    const { length } = receiver.events;
    await receiver.endpoint.sendTest();
    await t.untilReceived(receiver, "a later event arrives", (events) => events.length > length);
    t.equal(receiver.types(), ["test", "test"], "what arrived");
  }).with({ needs: ["operator", "events", "provider"] });
  test("S4.events.off: An endpoint that was off, or did not exist, receives nothing from before.", async (t) => {
    await t.connect();
    await using receiver = await t.receiver();
    await receiver.endpoint.setEnabled(false);
    await t.connect();
    await receiver.endpoint.setEnabled(true);
    await t.onlyArrive(receiver, [], ["connect.completed"]);
  }).with({ needs: ["operator", "events", "provider"] });
  test("S4.events.two-endpoints: Two endpoints receive the same event, with its id, each signed with its own secret.", async (t) => {
    await using receiver = await t.receiver();
    await using other = await t.receiver();
    const { connectionId } = await t.connect();
    const one = await t.arrives(receiver, "connect.completed", { connectionId });
    const two = await t.arrives(other, "connect.completed", { connectionId });
    t.equal([idOf(two), two.text], [idOf(one), one.text], "id and body");
    t.holds(!isSignedWith(two, receiver.endpoint.secret), "not with the other's secret");
  }).with({ needs: ["operator", "events", "provider"] });
  test("S4.events.types: An endpoint receives only its types.", async (t) => {
    await using receiver = await t.receiver("connect.denied");
    await t.connect();
    await t.attempt({ decision: "deny" });
    await t.arrives(receiver, "connect.denied");
    await t.onlyArrive(receiver, ["connect.denied"], ["connect.completed", "connect.denied"]);
  }).with({ needs: ["operator", "events", "provider"] });
  test("S4.events.resent: A resend sends the stored events again, with their ids.", async (t) => {
    await using receiver = await t.receiver();
    const beganAt = await t.now();
    const { connectionId } = await t.connect();
    const event = await t.arrives(receiver, "connect.completed", { connectionId });
    await t.driver("events").resend(await t.clientId(), beganAt);
    const isSame = (one: ReceivedEvent) => idOf(one) === idOf(event) && one.text === event.text;
    await t.untilReceived(receiver, "it is sent again", (events) => events.filter(isSame).length === 2);
  }).with({ needs: ["operator", "events", "provider"] });
  test("S4.events.rotation: After a rotation both secrets sign for 24 hours, then only the new one.", async (t) => {
    await using receiver = await t.receiver();
    const { endpoint } = receiver;
    const secrets = [endpoint.secret, await endpoint.rotate()];
    for (const secret of secrets) t.hides(secret);
    const rotatedAt = await t.now();
    const signers = async () => {
      const id = await endpoint.sendTest();
      const isIt = (event: ReceivedEvent) => idOf(event) === id;
      await t.untilReceived(receiver, "the event arrives", (events) => events.some(isIt));
      return secrets.map((secret) => receiver.events.some((event) => isIt(event) && isSignedWith(event, secret)));
    };
    t.equal(await signers(), [true, true], "the secrets that sign at once");
    await t.until(rotatedAt, DAY_MS + 1_000);
    t.equal(await signers(), [false, true], "the secrets that sign after a day");
  }).with({ lane: "timeline", needs: ["operator", "events", "clock"] });
});
