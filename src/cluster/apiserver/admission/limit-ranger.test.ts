import { expect, test } from "vitest";
import type { JsonObject } from "../../../api/json.ts";
import { podOf, startTestApiServer } from "../api-server-fixture.contract.ts";

const pods = "/api/v1/namespaces/default/pods";
const claims = "/api/v1/namespaces/default/persistentvolumeclaims";

async function worldWith(...limits: readonly JsonObject[]) {
  const world = await startTestApiServer();
  await world.request("POST /api/v1/namespaces/default/limitranges", {
    metadata: { name: "limits" },
    spec: { limits },
  });
  return world;
}

const podWith = (resources: JsonObject) =>
  podOf("web", { containers: [{ name: "app", image: "app:1", resources }] });

test("containers get the defaults of their namespace, and the Pod says so", async () => {
  const { request } = await worldWith({
    type: "Container",
    default: { cpu: "1", memory: "1Gi" },
    defaultRequest: { cpu: "500m" },
  });
  const { body } = await request(`POST ${pods}`, podWith({ requests: { memory: "512Mi" } }));
  expect(body).toMatchObject({
    metadata: {
      annotations: {
        "kubernetes.io/limit-ranger":
          "LimitRanger plugin set: cpu request for container app; cpu, memory limit for container app",
      },
    },
    spec: {
      containers: [
        { resources: { requests: { cpu: "500m", memory: "512Mi" }, limits: { cpu: "1", memory: "1Gi" } } },
      ],
    },
    status: { qosClass: "Burstable" },
  });
});

test("a range that says only the greatest and the least amount has defaults by that", async () => {
  const { request } = await worldWith({ type: "Container", max: { cpu: "2" }, min: { memory: "1Mi" } });
  const { body } = await request("GET /api/v1/namespaces/default/limitranges/limits");
  expect(body).toMatchObject({
    spec: { limits: [{ default: { cpu: "2" }, defaultRequest: { cpu: "2", memory: "1Mi" } }] },
  });
});

const container = { type: "Container", min: { cpu: "100m" }, max: { cpu: "2" } };
const explicit = { ...container, default: { cpu: "1" }, defaultRequest: { cpu: "1" } };

test.for<{ name: string; limits: JsonObject; resources: JsonObject; why: string }>([
  {
    name: "a container that may use too much",
    limits: explicit,
    resources: { limits: { cpu: "3" } },
    why: "maximum cpu usage per Container is 2, but limit is 3",
  },
  {
    name: "a container that requests too little",
    limits: explicit,
    resources: { requests: { cpu: "50m" } },
    why: "minimum cpu usage per Container is 100m, but request is 50m",
  },
  {
    name: "a Pod that requests nothing",
    limits: { type: "Pod", min: { memory: "1Gi" } },
    resources: {},
    why: "minimum memory usage per Pod is 1Gi.  No request is specified",
  },
  {
    name: "a Pod without a limit",
    limits: { type: "Pod", max: { memory: "1Gi" } },
    resources: {},
    why: "maximum memory usage per Pod is 1Gi.  No limit is specified",
  },
  {
    name: "a container whose limit is many times its request",
    limits: { type: "Container", maxLimitRequestRatio: { cpu: "2" } },
    resources: { requests: { cpu: "1" }, limits: { cpu: "3" } },
    why: "cpu max limit to request ratio per Container is 2, but provided ratio is 3.000000",
  },
])("$name is refused", async ({ limits, resources, why }) => {
  const { request } = await worldWith(limits);
  expect(await request(`POST ${pods}`, podWith(resources))).toMatchObject({
    code: 403,
    body: { message: `pods "web" is forbidden: ${why}` },
  });
});

test("several reasons are told together", async () => {
  const { request } = await worldWith({ type: "Pod", max: { cpu: "1", memory: "1Gi" } });
  const { body } = await request(`POST ${pods}`, podWith({ limits: { cpu: "2", memory: "2Gi" } }));
  expect(body["message"]).toBe(
    'pods "web" is forbidden: [maximum cpu usage per Pod is 1, but limit is 2, maximum memory usage per Pod is 1Gi, but limit is 2Gi]',
  );
});

test.for([
  { storage: "1Gi", code: 201 },
  { storage: "3Gi", code: 403 },
])("a claim of $storage is answered with $code", async ({ storage, code }) => {
  const { request } = await worldWith({ type: "PersistentVolumeClaim", max: { storage: "2Gi" } });
  const claim = {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
  };
  expect((await request(`POST ${claims}`, claim)).code).toBe(code);
});
