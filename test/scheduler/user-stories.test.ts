import { expect, test } from "vitest";
import { parse } from "yaml";
import type { ReplicaSet } from "../../src/api/generated/apps-v1.ts";
import type { Draft } from "../../src/api/object.ts";
import { replicaSets } from "../../src/api/resources.ts";
import {
  derivedConstraints,
  hostsAndRacks,
  spreadFile,
  workload,
  workloadOriginal,
} from "../../src/scheduler/configuration/proposal-blocks.cases.ts";
import { nodeDraft, startSchedulerFixture } from "./fixture.ts";

/** Twelve machines in three racks. */
const machines = Array.from({ length: 12 }, (_, index) =>
  nodeDraft(`machine-${index}`, {
    labels: {
      "topology.example.com/physical_host": `host-${index}`,
      "topology.example.com/rack": `rack-${index % 3}`,
    },
  }),
);

const draftOf = (text: string, replicas: number): Draft<ReplicaSet> => {
  const draft = parse(text) as Draft<ReplicaSet>;
  return {
    ...draft,
    metadata: { ...draft.metadata, namespace: "default" },
    spec: { ...draft.spec, replicas },
  };
};

test("an operator's constraints apply to a workload whose author knows nothing of racks", async () => {
  const fixture = await startSchedulerFixture({
    nodes: machines,
    config: spreadFile(hostsAndRacks),
    withControllers: true,
  });
  await fixture.client.create(replicaSets, draftOf(workload, 24));
  await fixture.clock.advance(5000);
  const placed = Object.values(await fixture.places());
  const perMachine = machines.map(({ metadata }) => placed.filter((name) => name === metadata.name).length);
  expect(perMachine).toEqual(machines.map(() => 2));

  const [record] = fixture.records.find({ namespace: "default" });
  const applied = record?.constraints.map(
    ({ maxSkew, topologyKey, whenUnsatisfiable, selector, source }) => ({
      constraint: { maxSkew, topologyKey, whenUnsatisfiable, selector },
      source,
    }),
  );
  const { topologySpreadConstraints } = parse(derivedConstraints) as {
    topologySpreadConstraints: readonly { readonly selector: unknown }[];
  };
  // The derived block of the proposal is what we answer: hard constraints come first, and selectors are written short.
  expect(applied).toEqual(
    topologySpreadConstraints
      .map((each) => ({ constraint: { ...each, selector: "app=demo" }, source: "list" }))
      .reverse(),
  );
  expect(record?.selector).toEqual({
    selector: "app=demo",
    from: [{ kind: "ReplicaSet", name: "replicated-demo" }],
  });
});

test("the constraints are nowhere in the Pods themselves", async () => {
  const fixture = await startSchedulerFixture({
    nodes: machines,
    config: spreadFile(hostsAndRacks),
    withControllers: true,
  });
  await fixture.client.create(replicaSets, draftOf(workload, 1));
  await fixture.clock.advance(5000);
  const [name = ""] = Object.keys(await fixture.places());
  expect((await fixture.pod(name)).spec.topologySpreadConstraints).toBeUndefined();
});

test("racks that differ by more than the operator allows refuse Pods, and say so", async () => {
  const fixture = await startSchedulerFixture({
    nodes: machines
      .filter((_, index) => index % 3 === 0)
      .concat(
        nodeDraft("closed", {
          labels: { "topology.example.com/physical_host": "h", "topology.example.com/rack": "rack-1" },
          spec: { unschedulable: true },
        }),
      ),
    config: spreadFile(hostsAndRacks),
    withControllers: true,
  });
  await fixture.client.create(replicaSets, draftOf(workload, 16));
  await fixture.clock.advance(5000);
  const waiting = Object.entries(await fixture.places()).filter(([, node]) => node === undefined);
  expect(waiting).toHaveLength(1);
  expect(fixture.records.find({ name: waiting[0]?.[0] ?? "" })[0]?.summary).toBe(
    "0/5 nodes are available: 1 node(s) were unschedulable, 4 node(s) didn't match pod topology spread constraints.",
  );
});

test("the proposal's own workload has a name the API server refuses", async () => {
  const fixture = await startSchedulerFixture({ nodes: 1 });
  await expect(fixture.client.create(replicaSets, draftOf(workloadOriginal, 1))).rejects.toThrow(
    /metadata.name: Invalid value: "replicated_demo": a lowercase RFC 1123 subdomain must consist of/,
  );
});
