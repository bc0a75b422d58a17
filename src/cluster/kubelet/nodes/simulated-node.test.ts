import { isIPv4 } from "node:net";
import { expect, test } from "vitest";
import { podAddress } from "./simulated-network.ts";
import { simulatedNode } from "./simulated-node.ts";

test("every node of a large cluster has addresses of its own, all of them addresses", () => {
  const nodes = Array.from({ length: 16_384 }, (_, index) => simulatedNode({ index, zones: 3 }, 0));
  const hosts = nodes.map((node) => node.status?.addresses?.[0]?.address ?? "");
  expect(hosts.filter((host) => !isIPv4(host))).toEqual([]);
  expect(new Set(hosts).size).toBe(nodes.length);
  const firstPods = nodes.map((node) => podAddress(node.spec.podCIDR, 0));
  expect(firstPods.filter((address) => !isIPv4(address))).toEqual([]);
  expect(new Set([...hosts, ...firstPods]).size).toBe(2 * nodes.length);
});

test("zones are filled in turn", () => {
  const zones = [0, 1, 2, 3].map(
    (index) => simulatedNode({ index, zones: 3 }, 0).metadata.labels?.["topology.kubernetes.io/zone"],
  );
  expect(zones).toEqual(["zone-a", "zone-b", "zone-c", "zone-a"]);
});
