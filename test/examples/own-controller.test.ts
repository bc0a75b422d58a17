import { expect, onTestFinished, test } from "vitest";
import { configMaps } from "../../src/api/resources.ts";
import type { Component } from "../../src/machinery/component/component.ts";
import { startSimulatedCluster } from "../../src/simulation/simulated-cluster.ts";

const example = new URL("../../examples/own-controller/ttl-controller.mjs", import.meta.url);

test("the controller of examples/own-controller deletes ConfigMaps when they expire, and no others", async () => {
  const { ttlController } = (await import(/* @vite-ignore */ example.pathname)) as {
    readonly ttlController: Component;
  };
  const cluster = await startSimulatedCluster({ seed: "ttl", nodes: 0, extraComponents: [ttlController] });
  onTestFinished(cluster.stop);
  const create = (name: string, annotations = {}) =>
    cluster.client.create(configMaps, { metadata: { namespace: "default", name, annotations } });
  const names = async () => {
    const { items } = await cluster.client.list(configMaps, { namespace: "default" });
    return items.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt");
  };
  await create("kept");
  await create("short", { "example.com/ttl-seconds": "60" });
  await cluster.advance(59_000);
  expect(await names()).toEqual(["kept", "short"]);
  await cluster.advance(2000);
  expect(await names()).toEqual(["kept"]);
});
