import { rootCertificates } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { StoredObject } from "../../src/api/object.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, leases } from "../../src/api/resources.ts";
import type { ApiServerAccess } from "../../src/cluster/apiserver/create-api-server.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import { commandFolder, seen as seenIn, startCommand } from "../command-program.ts";
import { at, web } from "../deployment/builders.ts";
import { allComponentsExcept } from "../../src/testing/test-cluster.ts";
import { workloadControllerNames } from "../deployment/fixture.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";

let cluster: EmbeddedCluster;
let folder: ReturnType<typeof commandFolder>;
beforeAll(async () => {
  cluster = await startEmbedded({ components: allComponentsExcept(...workloadControllerNames) });
  folder = commandFolder(cluster.access);
});
afterAll(async () => {
  folder.remove();
  await cluster.stop();
});

const start = (...words: readonly string[]) =>
  startCommand("controllers", "--kubeconfig", folder.kubeconfig, ...words);
const seen = <T extends StoredObject>(resource: Resource<T>, name: string, is: (object: T) => boolean) =>
  seenIn(cluster.client, resource, { name, is });

const patience = { timeout: 30_000 };

const isRolledOut = ({
  status,
}: {
  readonly status?: { readonly conditions?: readonly { readonly reason?: string }[] };
}) => (status?.conditions ?? []).some(({ reason }) => reason === "NewReplicaSetAvailable");

test("over HTTPS, one of two copies rolls Deployments out, shows what it does, and hands over", async () => {
  const first = await start();
  const { spec } = await seen(
    leases,
    "trimtab-controllers",
    ({ spec: { holderIdentity = "" } }) => holderIdentity !== "",
  );
  const second = await start();
  await cluster.client.create(deployments, web({ policy: "TerminationComplete" }));
  await seen(deployments, "web", isRolledOut);

  expect(await first.ask("/healthz")).toEqual({ code: 200, text: "ok" });
  expect((await first.ask("/readyz")).code).toBe(200);
  const metrics = async (copy: typeof first) => (await copy.ask("/metrics")).text.split("\n");
  // Gauges show what the copy has been told, which may be a moment after this client.
  await expect
    .poll(() => metrics(first), patience)
    .toEqual(
      expect.arrayContaining([
        'leader_election_master_status{name="trimtab-controllers"} 1',
        'kube_deployment_status_replicas_available{namespace="default",deployment="web"} 3',
        'kube_deployment_status_replicas_terminating{namespace="default",deployment="web"} 0',
        expect.stringMatching(
          /^kube_replicaset_status_terminating_replicas\{namespace="default",replicaset="web-\w+"\} 0$/,
        ),
      ]),
    );
  const lastReason = async () => {
    const { rollouts } = JSON.parse((await first.ask("/debug/decisions?name=web")).text) as {
      rollouts: { revisions: { reason: string }[] }[];
    };
    return rollouts[0]?.revisions[0]?.reason;
  };
  await expect.poll(lastReason, patience).toBe("rolled out");

  expect(await metrics(second)).toContain('leader_election_master_status{name="trimtab-controllers"} 0');
  await expect.poll(async () => (await second.ask("/readyz")).code, patience).toBe(200);
  expect(await first.stop()).toBe(0);
  await seen(
    leases,
    "trimtab-controllers",
    (lease) => !["", spec.holderIdentity].includes(lease.spec.holderIdentity ?? ""),
  );
  await cluster.client.patch(deployments, at("web"), { type: "merge", body: { spec: { replicas: 4 } } });
  await seen(deployments, "web", ({ status }) => status?.availableReplicas === 4);
  expect(await second.stop()).toBe(0);
  expect([...first.err, ...second.err]).toEqual([]);
});

const unreachable = "https://127.0.0.1:1";

test.for([
  { name: "is not there", text: undefined, says: /: no such file$/ },
  { name: "is empty", text: () => "", says: /is not a kubeconfig: it holds no object$/ },
  { name: "is not YAML", text: () => "a: [1", says: /is not YAML: [^\n]+$/ },
  { name: "says nothing", text: () => "apiVersion: v1", says: /does not have a current-context/ },
  {
    name: "leads nowhere",
    text: (access: ApiServerAccess) => kubeconfigText({ ...access, url: unreachable }),
    says: /^trimtab controllers: https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED[^\n]*$/,
  },
  {
    name: "has a token that is not known",
    text: (access: ApiServerAccess) => kubeconfigText({ ...access, token: "guessed" }),
    says: /: Unauthorized$/,
  },
  {
    name: "trusts another authority",
    text: (access: ApiServerAccess) => kubeconfigText({ ...access, ca: rootCertificates[0] ?? "" }),
    says: /^trimtab controllers: https:\/\/127\.0\.0\.1:\d+: .*certificate[^\n]*$/,
  },
])("a kubeconfig that $name is a sentence and exit code 1", async ({ name, text, says }) => {
  const file = folder.pathOf(name.replaceAll(" ", "-"));
  if (text !== undefined) folder.write(name.replaceAll(" ", "-"), text(cluster.access));
  const { err, stop } = await start("--kubeconfig", file);
  expect(await stop()).toBe(1);
  expect(err).toEqual([expect.stringMatching(says)]);
});
