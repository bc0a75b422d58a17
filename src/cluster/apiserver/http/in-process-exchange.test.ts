import { expect, test } from "vitest";
import { ApiError } from "../../../machinery/client/api-error.ts";
import type { OutgoingRequest } from "../../../machinery/client/http/request.ts";
import type { ConfigMap } from "../../../api/generated/core-v1.ts";
import type { InProcessOptions } from "./in-process-exchange.ts";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";

async function exchange(options: InProcessOptions = {}) {
  const { server, ...fixture } = await startTestApiServer();
  const open = server.open("trimtab-test/1", options);
  const ask = async (request: OutgoingRequest, signal = new AbortController().signal) => {
    const answer = await open(request, signal);
    return { code: answer.code, body: JSON.parse(await answer.body.text()) as Record<string, unknown> };
  };
  return { ...fixture, open, ask };
}

const creation = (name: string, text = ""): OutgoingRequest => ({
  method: "POST",
  path: configMaps,
  contentType: "application/json",
  body: JSON.stringify({ metadata: { name }, data: { text } }),
});

test("requests without a connection are answered as over HTTPS", async () => {
  const { ask } = await exchange();
  expect(await ask(creation("one"))).toMatchObject({
    code: 201,
    body: { metadata: { name: "one", managedFields: [{ manager: "trimtab-test" }] } },
  });
  expect((await ask({ method: "GET", path: configMaps })).body["items"]).toHaveLength(1);
  expect((await ask({ method: "GET", path: "/version" })).body).toHaveProperty("gitVersion");
});

test("what the API server refuses is thrown", async () => {
  const { ask } = await exchange();
  const missing = ask({ method: "GET", path: `${configMaps}/none` });
  await expect(missing).rejects.toThrow('configmaps "none" not found');
  await expect(missing).rejects.toBeInstanceOf(ApiError);
  await expect(ask({ method: "GET", path: "/nothing" })).rejects.toBeInstanceOf(ApiError);
});

test("a watch ends with its signal, and is not begun after it", async () => {
  const { ask, open, clock } = await exchange();
  const ending = new AbortController();
  const { body } = await open({ method: "GET", path: `${configMaps}?watch=1` }, ending.signal);
  await ask(creation("one"));
  const events = body[Symbol.asyncIterator]();
  expect(Buffer.from((await events.next()).value as Uint8Array).toString()).toContain('"ADDED"');
  ending.abort(new Error("enough"));
  await expect(events.next()).rejects.toThrow("Premature close");
  await expect(open({ method: "GET", path: configMaps }, ending.signal)).rejects.toThrow("enough");
  await clock.advance(60_000);
});

test.for([true, false])("watches are without managed fields where that is asked for: %s", async (isAsked) => {
  const { ask, open } = await exchange({ withoutManagedFields: isAsked });
  const ending = new AbortController();
  const { body } = await open({ method: "GET", path: `${configMaps}?watch=1` }, ending.signal);
  await ask(creation("one"));
  const { value } = await body[Symbol.asyncIterator]().next();
  const { object } = JSON.parse(Buffer.from(value as Uint8Array).toString()) as { object: ConfigMap };
  expect("managedFields" in object.metadata).toBe(!isAsked);
  expect([object.metadata.name, object.data]).toEqual(["one", { text: "" }]);
  ending.abort(new Error("enough"));
});

test("a list waits for its reader, who gets all of it", async () => {
  const { ask, open } = await exchange();
  for (let index = 0; index < 20; index++) await ask(creation(`c${index}`, "x".repeat(100_000)));
  const { body } = await open({ method: "GET", path: configMaps }, new AbortController().signal);
  let bytes = 0;
  let largest = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    largest = Math.max(largest, chunk.byteLength);
  }
  expect(bytes).toBeGreaterThan(2_000_000);
  expect(largest).toBeLessThan(128 * 1024);
});

test("a reader that does not read is given up, since what it does not read stays in memory", async () => {
  const { ask, open, clock } = await exchange();
  for (let index = 0; index < 20; index++) await ask(creation(`c${index}`, "x".repeat(100_000)));
  const { body } = await open({ method: "GET", path: configMaps }, new AbortController().signal);
  await clock.advance(31_000);
  await expect(body.text()).rejects.toThrow("Premature close");
});
