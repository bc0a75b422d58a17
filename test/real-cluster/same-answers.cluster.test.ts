import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isJsonObject, type Json } from "../../src/api/json.ts";
import { startTestApiServer } from "../../src/cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { bootstrapObjects } from "../../src/cluster/housekeeping/bootstrap-objects.ts";
import { defaultServiceNetwork } from "../../src/cluster/apiserver/registry/service-network.ts";
import { isAlreadyExists } from "../../src/machinery/client/api-error.ts";
import { WallClock } from "../../src/machinery/clock/wall-clock.ts";
import { type Answered, type HttpsCaller, httpsCaller } from "../https-caller.ts";
import { isComparedVersion } from "./kubernetes-version.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { type SameRequest, sameRequests } from "./same-answers.cases.ts";

let real: RealCluster;
let access: ApiServerAccess;
let callers: readonly HttpsCaller[];
beforeAll(async () => {
  // Neither has controllers, which would change what is written.
  real = await startRealCluster({ controllers: "none", scheduler: "none", nodes: 0 });
  const runKinds = new Set(["Deployment.apps", "Pod", "PodDisruptionBudget.policy", "ResourceQuota"]); // no warnings

  const { server, client } = await startTestApiServer({ startAt: new WallClock().now(), runKinds });
  const address = { host: "240.0.0.1", port: 6443 };
  for (const { resource, object } of bootstrapObjects(
    { ...address, clusterIP: defaultServiceNetwork.firstAddress },
    server.kinds.all,
  ))
    await client.create(resource, object).catch((error: unknown) => {
      if (!isAlreadyExists(error)) throw error;
    });
  access = await server.listen({ port: 0 });
  callers = [httpsCaller(real.access), httpsCaller(access)];
});
afterAll(async () => {
  for (const caller of callers) caller.close();
  await access.close();
  await real.stop();
});

/** Each request finds what those before it have left. */
describe.skipIf(!isComparedVersion)(
  "the API server answers as kube-apiserver 1.36 does",
  { concurrent: false, shuffle: false },
  () => {
    test.for(sameRequests.map((request, index) => ({ ...request, index })))(
      "$index: $what",
      async ({ index: _index, ...request }) => {
        const [theirs, ours] = await Promise.all(callers.map((caller) => send(caller, request)));
        expect(ours).toEqual(theirs);
      },
    );
  },
);

async function send(caller: HttpsCaller, { what, body, type = "application/json", as }: SameRequest) {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const answer = await caller.call(what, {
    headers: {
      ...(body !== undefined && { "content-type": type, "content-length": String(Buffer.byteLength(text)) }),
      ...(as !== undefined && { "impersonate-user": as }),
    },
    ...(body !== undefined && { body: text }),
  });
  return comparable(answer);
}

function comparable({ code, headers, text }: Answered) {
  const isJson = headers["content-type"]?.startsWith("application/json") === true;
  return {
    code,
    warning: headers["warning"],
    body: isJson ? withoutIdentity(JSON.parse(text) as Json) : text,
  };
}

const identity = new Set([
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "managedFields",
  "deletionTimestamp",
]);

/** What differs between any two clusters is left out. */
function withoutIdentity(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(withoutIdentity);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => !identity.has(name));
  return Object.fromEntries(members.map(([name, member]) => [name, withoutIdentity(member ?? null)]));
}
