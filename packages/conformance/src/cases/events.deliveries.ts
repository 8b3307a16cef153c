import { isSignedWith, type ReceivedEvent } from "../context/events.ts";
import { DAY_MS } from "../context/jobs.ts";
import { defineCases } from "../harness/defineCase.ts";

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
