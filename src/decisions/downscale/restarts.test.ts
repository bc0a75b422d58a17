import { expect, test } from "vitest";
import type { Pod } from "../../api/generated/core-v1.ts";
import { pod } from "../../testing/pod.ts";
import { containerRestarts, sidecarRestarts } from "./restarts.ts";

const status = (name: string, restartCount: number) => ({
  name,
  restartCount,
  ready: true,
  image: "",
  imageID: "",
});

function withStatus(part: NonNullable<Pod["status"]>, spec: Partial<Pod["spec"]> = {}): Pod {
  const plain = pod("a");
  return { ...plain, spec: { ...plain.spec, ...spec }, status: part };
}

test("containerRestarts takes the container that restarted most, in the spec or not", () => {
  const statuses = [status("app", 2), status("unheard-of", 7), status("proxy", 3)];
  expect(containerRestarts(withStatus({ containerStatuses: statuses }))).toBe(7);
});

test("sidecarRestarts looks at init containers that always restart, and only at those", () => {
  const initContainers = [{ name: "sidecar", restartPolicy: "Always" }, { name: "migrate" }];
  const initContainerStatuses = [status("sidecar", 4), status("migrate", 9), status("unheard-of", 8)];
  expect(sidecarRestarts(withStatus({ initContainerStatuses }, { initContainers }))).toBe(4);
});

test.for([
  { name: "no statuses", of: pod("a", { phase: "Pending" }) },
  {
    name: "null lists",
    of: withStatus(JSON.parse('{"containerStatuses":null,"initContainerStatuses":null}')),
  },
  { name: "null elements", of: withStatus(JSON.parse('{"containerStatuses":[null]}')) },
  {
    name: "counts that are no numbers",
    of: withStatus(JSON.parse('{"containerStatuses":[{"restartCount":"9"}]}')),
  },
  { name: "something else for a list", of: withStatus(JSON.parse('{"containerStatuses":{"a":1}}')) },
])("$name count as no restarts", ({ of }) => {
  expect([containerRestarts(of), sidecarRestarts(of)]).toEqual([0, 0]);
});
