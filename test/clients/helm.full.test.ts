import { fileURLToPath } from "node:url";
import { describe, expect, test, vi } from "vitest";
import { configMaps, deployments, jobs, namespaces, secrets, services } from "../../src/api/resources.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { makeNamespace } from "../embedded-cluster.ts";
import { useClient } from "./client-fixture.ts";
import { type ClientProgram, type Finished, runClient } from "./client-process.ts";
import { buildHelm, programIn } from "./tools.ts";

const chart = fileURLToPath(new URL("charts/web", import.meta.url));

/** Runs a Helm command that has to succeed, and returns what it printed. */
async function helm(program: ClientProgram, words: string): Promise<string> {
  const { code, out, err } = await runClient(program, ...words.split(" "));
  if (code !== 0) throw new Error(`helm ${words} ended with ${code}: ${err}${out}`);
  return out;
}

/** What users look at after a change: the replicas, and the names of the other objects of the release. */
async function stateOf(client: Client, namespace: string) {
  const list = { namespace };
  const { items: workloads } = await client.list(deployments, list);
  const { items: maps } = await client.list(configMaps, list);
  const { items: stored } = await client.list(services, list);
  return {
    replicas: workloads.map(({ status }) => status?.availableReplicas),
    greetings: maps.map(({ data }) => data?.["greeting"]).filter((text) => text !== undefined),
    configMaps: maps.map(({ metadata }) => metadata.name).filter((name) => name !== "kube-root-ca.crt"),
    services: stored.map(({ metadata }) => metadata.name),
  };
}

/** Helm waits for Pods of ReplicaSets that are ready, not for the Deployment to count them. */
const expectState = (client: Client, namespace: string, state: object) =>
  vi.waitFor(async () => expect(await stateOf(client, namespace)).toMatchObject(state), { timeout: 60_000 });

describe.for([3, 4] as const)("Helm %i", (major) => {
  const use = useClient(
    () => buildHelm(major),
    (folder) => [programIn(folder)],
  );
  const namespace = "releases";
  const install = `install shop ${chart} --namespace ${namespace} --wait --timeout 2m`;

  test("installs, upgrades, rolls back and uninstalls a chart, with its hooks", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    await makeNamespace(client, namespace);

    expect(await helm(program, install)).toContain("hello from shop, revision 1, on v1.");
    const installed = {
      replicas: [2],
      greetings: ["hello"],
      configMaps: ["shop", "shop-pre-install"],
      services: ["shop"],
    };
    await expectState(client, namespace, installed);

    const values = "replicas=3,greeting=bye,extra=true";
    const upgrade = `upgrade shop ${chart} --namespace ${namespace} --set ${values} --wait --timeout 2m`;
    expect(await helm(program, upgrade)).toContain("bye from shop, revision 2");
    await expectState(client, namespace, {
      ...installed,
      replicas: [3],
      greetings: ["bye"],
      configMaps: ["shop", "shop-extra", "shop-post-upgrade", "shop-pre-install"],
    });

    await helm(program, `rollback shop 1 --namespace ${namespace} --wait --timeout 2m`);
    const rolledBack = { ...installed, configMaps: ["shop", "shop-post-upgrade", "shop-pre-install"] };
    await expectState(client, namespace, rolledBack);
    const history = await helm(program, `history shop --namespace ${namespace} --output json`);
    expect(JSON.parse(history)).toMatchObject([
      { revision: 1, status: "superseded" },
      { revision: 2, status: "superseded" },
      { revision: 3, status: "deployed", description: "Rollback to 1" },
    ]);

    await helm(program, `uninstall shop --namespace ${namespace} --wait --timeout 2m`);
    await expectState(client, namespace, {
      replicas: [],
      greetings: [],
      // Hooks are not part of a release: they stay where the chart does not say otherwise.
      configMaps: ["shop-post-upgrade", "shop-pre-delete", "shop-pre-install"],
      services: [],
    });
    expect((await client.list(secrets, { namespace })).items).toEqual([]);
  });

  test("waits for Jobs that are hooks, tests a release, and refuses one whose hook fails", async (context) => {
    const { cluster, program } = use(context);
    const { client } = cluster;
    const into = "--namespace hooked";
    const of = `${chart} ${into} --set jobs=true`;
    await helm(program, `install shop ${of} --create-namespace --wait --timeout 2m`);
    const migration = () => client.get(jobs, { namespace: "hooked", name: "shop-migrate" });
    const { metadata, status } = await migration();
    expect(status).toMatchObject({ succeeded: 1 });

    const tested = await helm(program, `test shop ${into} --logs --timeout 2m`);
    expect(tested).toMatch(/Phase: +Succeeded/);
    expect(tested).toContain("hello to the test");

    const broken = await refused(program, `upgrade shop ${of},migration=broken --timeout 2m`);
    expect(broken.err).toMatch(/BackoffLimitExceeded|pre-upgrade hooks failed/);
    const failed = await migration();
    expect(failed.status).toMatchObject({ failed: 1 });
    expect(failed.metadata.uid).not.toBe(metadata.uid);

    await helm(program, `uninstall shop ${into} --wait --timeout 2m`);
  });

  test("makes the namespace, refuses a name that is in use, and leaves a failed release to be mended", async (context) => {
    const { cluster, program } = use(context);
    const elsewhere = "elsewhere";
    const into = `--namespace ${elsewhere}`;
    await helm(program, `install shop ${chart} ${into} --create-namespace --wait --timeout 2m`);
    expect(await cluster.client.get(namespaces, { name: elsewhere })).toMatchObject({
      status: { phase: "Active" },
    });

    const twice = await refused(program, `install shop ${chart} ${into}`);
    expect(twice.err).toMatch(/cannot re-?use a name that is still in use/);

    const bad = await refused(program, `upgrade shop ${chart} ${into} --set replicas=-1`);
    expect(bad.err).toContain("spec.replicas: Invalid value: -1: must be greater than or equal to 0");

    await helm(program, `upgrade shop ${chart} ${into} --set replicas=1 --wait --timeout 2m`);
    await expectState(cluster.client, elsewhere, { replicas: [1] });
  });
});

/** Runs a Helm command that has to fail. */
async function refused(program: ClientProgram, words: string): Promise<Finished> {
  const finished = await runClient(program, ...words.split(" "));
  expect(finished.code).not.toBe(0);
  return finished;
}
