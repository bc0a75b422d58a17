import { expect, test } from "vitest";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

test.for([
  {
    name: "large objects",
    limit: { events: 1000, bytes: 50_000 },
    text: "x".repeat(10_000),
    disconnectedAt: 5,
  },
  { name: "many events", limit: { events: 20, bytes: 50_000 }, text: "", disconnectedAt: 21 },
])(
  "a watcher that falls behind by $name is disconnected, and what it missed is dropped",
  async ({ limit, text, disconnectedAt }) => {
    const { request, watch, clock } = await startTestApiServer();
    const stream = await watch(`${configMaps}?watch=true`);
    const state = { disconnectedAt: 0 };
    let writes = 0;
    stream.limitPending(limit, () => (state.disconnectedAt = writes));
    for (; writes < 40; writes++) {
      await request(`POST ${configMaps}`, { metadata: { generateName: "a-" }, data: { text } });
      await clock.settle();
    }
    expect(state.disconnectedAt + 1).toBe(disconnectedAt);
    expect({ ended: stream.ended, hasPending: stream.hasPending }).toEqual({
      ended: true,
      hasPending: false,
    });
  },
);

test("a watcher that keeps up is not disconnected, however much is written", async () => {
  const { request, watch, clock } = await startTestApiServer();
  const stream = await watch(`${configMaps}?watch=true`);
  stream.limitPending({ events: 3, bytes: 30_000 }, () => expect.unreachable("it kept up"));
  for (let write = 0; write < 40; write++) {
    await request(`POST ${configMaps}`, {
      metadata: { generateName: "a-" },
      data: { text: "x".repeat(10_000) },
    });
    await clock.settle();
    expect(stream.take(200).length).toBe(1);
  }
});
