import { describe, expect, test } from "vitest";
import type { Container, ContainerStatus, PodSpec } from "../../../api/generated/core-v1.ts";
import { pod } from "../../../testing/pod.ts";
import type { ResourceAmounts } from "./amounts.ts";
import { nonZeroContainerRequest, nonZeroRequest, podRequest } from "./pod-request.ts";

type Requests = Readonly<Record<string, string | number>>;

const mebibyte = 2 ** 20;
const asking = (requests?: Requests, name = "app"): Container =>
  requests === undefined ? { name } : { name, resources: { requests } };
const sidecar = (requests: Requests): Container => ({ ...asking(requests, "side"), restartPolicy: "Always" });
const shown = (amounts: ResourceAmounts) => Object.fromEntries(amounts);

test.for<{ name: string; spec: Partial<PodSpec>; want: Readonly<Record<string, number>> }>([
  { name: "nothing", spec: { containers: [asking()] }, want: {} },
  {
    name: "the sum of its containers",
    spec: { containers: [asking({ cpu: "250m", memory: "1Gi" }), asking({ cpu: 1, memory: "512Mi" })] },
    want: { cpu: 1250, memory: 1536 * mebibyte },
  },
  {
    name: "the largest of its init containers where that is more",
    spec: {
      initContainers: [asking({ cpu: "2" }), asking({ cpu: "500m", memory: "3Gi" })],
      containers: [asking({ cpu: "1", memory: "1Gi" })],
    },
    want: { cpu: 2000, memory: 3 * 1024 * mebibyte },
  },
  {
    name: "its sidecars beside its containers",
    spec: { initContainers: [sidecar({ cpu: "200m" })], containers: [asking({ cpu: "1" })] },
    want: { cpu: 1200 },
  },
  {
    name: "an init container beside the sidecars that started before it",
    spec: {
      initContainers: [sidecar({ cpu: "300m" }), asking({ cpu: "1" }), sidecar({ cpu: "400m" })],
      containers: [asking({ cpu: "100m" })],
    },
    want: { cpu: 1300 },
  },
  {
    name: "what the Pod asks for as a whole instead, where it does",
    spec: {
      containers: [asking({ cpu: "1", memory: "1Gi" })],
      resources: { requests: { cpu: "3", "ephemeral-storage": "1Gi", "hugepages-2Mi": "4Mi" } },
    },
    want: { cpu: 3000, memory: 1024 * mebibyte, "hugepages-2Mi": 4 * mebibyte },
  },
  {
    name: "its overhead on top of all",
    spec: {
      containers: [asking({ cpu: "1" })],
      resources: { requests: { cpu: "2" } },
      overhead: { cpu: "250m", memory: 5 },
    },
    want: { cpu: 2250, memory: 5 },
  },
  {
    name: "extended resources and huge pages, but nothing that nodes do not count",
    spec: {
      containers: [
        asking({
          "example.com/gpu": "2",
          "hugepages-1Gi": "1Gi",
          "attachable-volumes-x": 1,
          storage: 9,
          pods: 4,
        }),
      ],
    },
    want: { "example.com/gpu": 2, "hugepages-1Gi": 1024 * mebibyte, "attachable-volumes-x": 1 },
  },
  {
    name: "fractions exactly, rounded up once",
    spec: { containers: [asking({ cpu: "100u", memory: "100m" }), asking({ cpu: "100u", memory: "100m" })] },
    want: { cpu: 1, memory: 1 },
  },
  { name: "nothing for what is no amount", spec: { containers: [asking({ cpu: "much" })] }, want: {} },
])("a Pod requests $name", ({ spec, want }) => {
  expect(shown(podRequest(pod("p", { spec })))).toEqual(want);
});

describe("where a container does not say, a Pod counts for", () => {
  test.for<{ name: string; spec: Partial<PodSpec>; want: object; containersOnly?: object }>([
    {
      name: "a tenth of a CPU and 200 MiB",
      spec: { containers: [asking()] },
      want: { cpu: 100, memory: 200 * mebibyte },
    },
    {
      name: "what is missing alone",
      spec: { containers: [asking({ cpu: "1" }), asking({ memory: "1Mi" })] },
      want: { cpu: 1100, memory: 201 * mebibyte },
    },
    {
      name: "nothing where it says 0",
      spec: { containers: [asking({ cpu: "0", memory: 0 })] },
      want: { cpu: 0, memory: 0 },
    },
    {
      name: "init containers and sidecars too",
      spec: { initContainers: [{ name: "side", restartPolicy: "Always" }], containers: [asking()] },
      want: { cpu: 200, memory: 400 * mebibyte },
    },
    {
      name: "the Pod's own word, and what neither it nor a container mentions",
      spec: { containers: [asking({ cpu: "1" }), asking()], resources: { requests: { memory: "1Gi" } } },
      want: { cpu: 1000, memory: 1024 * mebibyte },
      containersOnly: { cpu: 1100, memory: 400 * mebibyte },
    },
  ])("$name", ({ spec, want, containersOnly = want }) => {
    expect(shown(nonZeroRequest(pod("p", { spec })))).toEqual(want);
    expect(shown(nonZeroContainerRequest(pod("p", { spec })))).toEqual(containersOnly);
  });
});

describe("while it is resized, a Pod holds", () => {
  const running = (status: Partial<ContainerStatus>, reason = "Deferred") => {
    const base = pod("p", { spec: { containers: [asking({ cpu: "2" })] } });
    const container = { name: "app", ready: true, restartCount: 0, image: "", imageID: "", ...status };
    const conditions = [{ type: "PodResizePending", status: "True", reason }];
    return { ...base, status: { ...base.status, containerStatuses: [container], conditions } };
  };

  test.for([
    { name: "what it asks for", given: running({ resources: { requests: { cpu: "1" } } }), want: 2000 },
    { name: "what it still has", given: running({ resources: { requests: { cpu: "3" } } }), want: 3000 },
    {
      name: "what it was promised",
      given: running({ resources: {}, allocatedResources: { cpu: "2500m" } }),
      want: 2500,
    },
    {
      name: "what it has when it cannot get what it asks for",
      given: running({ resources: { requests: { cpu: "1" } } }, "Infeasible"),
      want: 1000,
    },
    { name: "what it asks for as long as its status does not say", given: running({}), want: 2000 },
  ])("$name", ({ given, want }) => {
    expect(podRequest(given).get("cpu")).toBe(want);
  });
});
