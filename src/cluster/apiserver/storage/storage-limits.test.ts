import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { startTestApiServer } from "../api-server-fixture.contract.ts";

const configMaps = "/api/v1/namespaces/default/configmaps";
const pods = "/api/v1/namespaces/default/pods";
const limitBytes = 4096 * 2 ** 20;

const configMap = (name: string, text = ""): JsonObject => ({ metadata: { name }, data: { text } });
const annotated = (length: number) => ({ metadata: { annotations: { text: "x".repeat(length) } } });
const mergePatch = "application/merge-patch+json";

/** An API server whose heap is as full as the test says. */
async function serverWithHeap() {
  let share = 0;
  const fixture = await startTestApiServer({ heap: () => ({ usedBytes: share * limitBytes, limitBytes }) });
  return { ...fixture, fill: (next: number) => void (share = next) };
}

describe("when memory is nearly full", () => {
  test("a create is refused with a sentence that says what to do", async () => {
    const { request, fill } = await serverWithHeap();
    fill(0.9);
    const { code, body } = await request(`POST ${configMaps}`, configMap("a"));
    expect({ code, ...body }).toMatchObject({ code: 507, reason: "InsufficientStorage", status: "Failure" });
    expect(body["message"]).toBe(
      "Insufficient storage: 90 % of the server's memory (4096 MiB) is in use: delete objects before others are " +
        "created or grow, or start the server with more memory (NODE_OPTIONS=--max-old-space-size=MIB)",
    );
    expect((await request(`POST ${configMaps}?dryRun=All`, configMap("a"))).code).toBe(201);
  });

  test("reads and deletes go on, and deletes make room", async () => {
    const { request, fill } = await serverWithHeap();
    await request(`POST ${configMaps}`, configMap("a"));
    fill(0.99);
    expect((await request(`GET ${configMaps}/a`)).code).toBe(200);
    expect((await request(`GET ${configMaps}?limit=1`)).code).toBe(200);
    expect((await request(`DELETE ${configMaps}/a`)).code).toBe(200);
    fill(0.5);
    expect((await request(`POST ${configMaps}`, configMap("a"))).code).toBe(201);
  });

  test("what was deleted is not kept for clients that resume, or for the next page of a list", async () => {
    const { request, fill, store } = await serverWithHeap();
    for (const name of ["a", "b"]) await request(`POST ${configMaps}`, configMap(name));
    await request(`GET ${configMaps}?limit=1`);
    const before = store.revision();
    await request(`DELETE ${configMaps}/a`);
    fill(0.9);
    expect(store.collection("configmaps").at(before)).toBeDefined();
    expect((await request(`POST ${configMaps}`, configMap("c"))).code).toBe(507);
    expect(store.collection("configmaps").at(before)).toBeUndefined();
    expect(store.collection("configmaps").since(before)).toBeUndefined();
  });

  test("a Pod ends as always: marked, reported, its finalizer removed", async () => {
    const { request, fill } = await serverWithHeap();
    const metadata = { name: "web", finalizers: ["example.com/wait"] };
    const spec = { nodeName: "n1", containers: [{ name: "c", image: "i" }] };
    expect((await request(`POST ${pods}`, { metadata, spec })).code).toBe(201);
    fill(0.99);
    expect((await request(`DELETE ${pods}/web?gracePeriodSeconds=1`)).code).toBe(200);
    const status = { status: { phase: "Succeeded", message: "ended" } };
    expect((await request(`PATCH ${pods}/web/status`, status, mergePatch)).code).toBe(200);
    expect((await request(`DELETE ${pods}/web?gracePeriodSeconds=0`)).code).toBe(200);
    const released = { metadata: { finalizers: null } };
    expect((await request(`PATCH ${pods}/web`, released, mergePatch)).code).toBe(200);
    expect((await request(`GET ${pods}/web`)).code).toBe(404);
  });

  test("objects may change and shrink, and grow by a little until it is full", async () => {
    const { request, fill } = await serverWithHeap();
    await request(`POST ${configMaps}`, configMap("a", "x".repeat(5000)));
    const patch = (length: number) => request(`PATCH ${configMaps}/a`, annotated(length), mergePatch);
    fill(0.85);
    expect((await patch(500)).code).toBe(200);
    expect((await patch(5000)).code).toBe(507);
    fill(0.96);
    expect((await patch(600)).code).toBe(507);
    expect((await patch(400)).code).toBe(200);
    expect((await request(`PUT ${configMaps}/a`, configMap("a", "y".repeat(5000)))).code).toBe(200);
  });

  test("an object that is being deleted does not grow by much", async () => {
    const { request, fill } = await serverWithHeap();
    await request(`POST ${configMaps}`, { metadata: { name: "a", finalizers: ["example.com/wait"] } });
    await request(`DELETE ${configMaps}/a`);
    fill(0.99);
    expect((await request(`PATCH ${configMaps}/a`, annotated(100_000), mergePatch)).code).toBe(507);
  });
});

describe("an object of more than 1.5 MiB", () => {
  // Nothing limits the number of conditions, unlike the data of a ConfigMap.
  const conditions = (text: string, times: number) => ({
    status: {
      conditions: Array.from({ length: times }, (_, index) => ({
        type: `Example${index}`,
        status: "True",
        message: text,
      })),
    },
  });

  test.for([
    { name: "plain text", text: "x".repeat(1000), fits: 1400, tooMany: 1600 },
    { name: "text whose encoding is longer", text: "\u0001".repeat(1000), fits: 240, tooMany: 280 },
    { name: "text of three bytes a character", text: "界".repeat(1000), fits: 480, tooMany: 560 },
  ])("is not stored: $name", async ({ text, fits, tooMany }) => {
    const { request } = await startTestApiServer();
    const pod = { metadata: { name: "web" }, spec: { containers: [{ name: "c", image: "i" }] } };
    await request(`POST ${pods}`, pod);
    const patch = (times: number) => request(`PATCH ${pods}/web/status`, conditions(text, times), mergePatch);
    expect((await patch(fits)).code).toBe(200);
    const { code, body } = await patch(tooMany);
    expect({ code, ...body }).toMatchObject({ code: 413, reason: "RequestEntityTooLarge" });
    expect(body["message"]).toMatch(
      /^Request entity too large: the object has \d+ bytes, the limit is 1572864$/,
    );
  });

  test("can be deleted although the deletion makes it larger", async () => {
    const { request, store } = await startTestApiServer();
    const finalizers = ["example.com/wait"];
    await request(`POST ${configMaps}`, { metadata: { name: "a", finalizers } });
    const record = store.collection("configmaps").get("default/a");
    const large = { ...record?.object, data: { text: "x".repeat(1.5 * 2 ** 20) } };
    store.collection("configmaps").put("default/a", large);
    expect((await request(`DELETE ${configMaps}/a`)).code).toBe(200);
  });
});
