import { expect, test } from "vitest";
import { isJsonObject, type JsonObject } from "../../src/api/json.ts";
import {
  definitions,
  foo,
  foos,
  fooDefinition,
  fooVersion,
  hasReason,
} from "../../src/cluster/apiserver/custom-resources/foo-definition.contract.ts";
import { type RawAnswer, startWebhookServer, type WebhookServer } from "./webhook-server.ts";
import { startWebhookCluster, type WebhookCluster } from "./webhook-cluster.ts";

const newer = "/apis/example.com/v2/namespaces/default/foos";

/** The request of a ConversionReview. */
interface ConversionRequest {
  readonly uid: string;
  readonly desiredAPIVersion: string;
  readonly objects: readonly JsonObject[];
}

/** `size` of v1 is `amount` of v2. */
const convert: RawAnswer = (response, request) => {
  const { uid, desiredAPIVersion, objects } = request as unknown as ConversionRequest;
  const convertedObjects = objects.map((object) => {
    const { size, amount } = isJsonObject(object["spec"]) ? object["spec"] : {};
    const name = desiredAPIVersion === "example.com/v2" ? "amount" : "size";
    return { ...object, apiVersion: desiredAPIVersion, spec: { [name]: size ?? amount ?? 0 } };
  });
  const apiVersion = "apiextensions.k8s.io/v1";
  const answer = { uid, result: { status: "Success" }, convertedObjects };
  response.end(JSON.stringify({ apiVersion, kind: "ConversionReview", response: answer }));
};

const definitionWith = (clientConfig: JsonObject) =>
  fooDefinition(
    [
      fooVersion("v1", { spec: { size: { type: "integer" } } }),
      fooVersion("v2", { spec: { amount: { type: "integer" } } }),
    ],
    {
      conversion: {
        strategy: "Webhook",
        webhook: { conversionReviewVersions: ["v1", "v1beta1"], clientConfig },
      },
    },
  );

/** A cluster with the kind Foo, and a server at `/convert`. */
async function start(
  clientConfig: (server: WebhookServer) => JsonObject,
  hosts?: readonly string[],
): Promise<WebhookCluster & { readonly server: WebhookServer }> {
  const server = await startWebhookServer({ convert: { raw: convert } }, hosts);
  const cluster = await startWebhookCluster();
  await cluster.send(`POST ${definitions}`, definitionWith(clientConfig(server)));
  const established = hasReason("Established", "InitialNamesAccepted");
  while (!established((await cluster.send(`GET ${definitions}/foos.example.com`)).body));
  return { ...cluster, server };
}

const byUrl = ({ port, caBundle }: WebhookServer): JsonObject => ({
  url: `https://127.0.0.1:${port}/convert`,
  caBundle,
});

test("a webhook converts what is written, read, listed and watched", async () => {
  const { send, watch, server } = await start(byUrl);
  const lines = await watch(`${newer}?watch=true`);
  const created = await send(`POST ${newer}`, { ...foo({ amount: 4 }), apiVersion: "example.com/v2" });
  expect(created).toMatchObject({ code: 201, body: { spec: { amount: 4 } } });
  expect((await send(`GET ${foos}/x`)).body).toMatchObject({
    apiVersion: "example.com/v1",
    spec: { size: 4 },
  });
  await send(`PATCH ${foos}/x`, { spec: { size: 5 } });
  const { items } = (await send(`GET ${newer}`)).body as { readonly items: readonly JsonObject[] };
  expect(items).toMatchObject([{ apiVersion: "example.com/v2", kind: "Foo", spec: { amount: 5 } }]);
  const next = async () => {
    const { value } = await lines.next();
    return JSON.parse(String(value)) as JsonObject;
  };
  expect(await next()).toMatchObject({ type: "ADDED", object: { spec: { amount: 4 } } });
  expect(await next()).toMatchObject({ type: "MODIFIED", object: { spec: { amount: 5 } } });
  expect(server.connections()).toBeLessThanOrEqual(4);
});

test("a Service whose annotation says where the webhook is can be named instead of a URL", async () => {
  const clientConfig = ({ caBundle }: WebhookServer) => ({
    service: { namespace: "default", name: "converter", path: "/convert" },
    caBundle,
  });
  const { send, server } = await start(clientConfig, ["converter.default.svc"]);
  await send(`POST ${foos}`, foo({ size: 1 }));
  expect((await send(`GET ${newer}/x`)).body["message"]).toBe(
    'conversion webhook for example.com/v1, Kind=Foo failed: service "converter" not found',
  );
  await send("POST /api/v1/namespaces/default/services", {
    metadata: {
      name: "converter",
      annotations: { "sim.trimtab.dev/endpoint": `127.0.0.1:${server.port}` },
    },
    spec: { ports: [{ port: 443 }] },
  });
  expect((await send(`GET ${newer}/x`)).body).toMatchObject({ spec: { amount: 1 } });
});

test.for([
  {
    name: "whose certificate another authority signed",
    config: (_server: WebhookServer, other: WebhookServer): JsonObject => ({
      ...byUrl(_server),
      caBundle: other.caBundle,
    }),
    why: /x509: certificate signed by unknown authority$/,
  },
  {
    name: "that is not on this machine",
    config: (): JsonObject => ({ url: "https://192.0.2.1/convert" }),
    why: /--webhook-allow=192\.0\.2\.1$/,
  },
  {
    name: "whose path there is not",
    config: ({ port, caBundle }: WebhookServer): JsonObject => ({
      url: `https://127.0.0.1:${port}/nowhere`,
      caBundle,
    }),
    why: /the server could not find the requested resource$/,
  },
])("a webhook $name fails what needs it, and nothing else", async ({ config, why }) => {
  const other = await startWebhookServer({});
  const { send } = await start((server) => config(server, other));
  await send(`POST ${foos}`, foo({ size: 1 }));
  const { code, body } = await send(`GET ${newer}`);
  expect(code).toBe(500);
  expect(body["message"]).toMatch(/^conversion webhook for example\.com\/v1, Kind=Foo failed: /);
  expect(body["message"]).toMatch(why);
  expect((await send(`GET ${foos}`)).code).toBe(200);
  expect((await send("GET /apis")).code).toBe(200);
  expect((await send(`DELETE ${definitions}/foos.example.com`)).code).toBe(200);
});
