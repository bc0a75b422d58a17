import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deployments, pods } from "../../src/api/resources.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import type { WhatIfReport } from "../../src/simulation/what-if/what-if-report.ts";
import { deployment } from "../../src/testing/deployment.ts";
import { startHttpPicker } from "../picker/http-picker.ts";
import { typed } from "../cli/type-command.ts";
import { commandFolder, seen } from "../command-program.ts";
import { type EmbeddedCluster, startEmbedded } from "../embedded-cluster.ts";
import { newestKubectl } from "../kubectl/kubectls.ts";
import { openShell, type Shell } from "../kubectl/shell.ts";

let cluster: EmbeddedCluster;
let folder: ReturnType<typeof commandFolder>;
beforeAll(async () => {
  cluster = await startEmbedded();
  folder = commandFolder(cluster.access);
}, 60_000);
afterAll(async () => {
  folder?.remove();
  await cluster?.stop();
});

const workload = `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, annotations: { acme.example/note: SECRET-note } }
spec:
  replicas: 5
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }, annotations: { acme.example/token: SECRET-annotation } }
    spec:
      containers:
        - name: web
          image: registry.example/shop/web:1
          command: [serve, --password=SECRET-command]
          args: [SECRET-argument]
          env:
            - { name: TOKEN, value: SECRET-env }
            - { name: KEY, valueFrom: { secretKeyRef: { name: keys, key: one } } }
          readinessProbe: { httpGet: { port: 80, httpHeaders: [{ name: Authorization, value: SECRET-header }] } }
      volumes: [{ name: keys, secret: { secretName: keys } }]
---
apiVersion: v1
kind: Secret
metadata: { name: keys }
stringData: { one: SECRET-key }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: settings }
data: { one: SECRET-setting }
`;

const collections =
  "namespaces,nodes,pods,deployments,replicasets,replicationcontrollers,statefulsets,daemonsets,controllerrevisions,services,poddisruptionbudgets,priorityclasses,persistentvolumeclaims,persistentvolumes,storageclasses";

const [kubectl] = newestKubectl();

describe.skipIf(kubectl === undefined)("on a cluster with secrets, made with kubectl", () => {
  let shell: Shell;
  const run = async (words: string, input?: string) => {
    const { code, out, err } = await shell.run(words, { input });
    expect({ words, code, err: code === 0 ? "" : err }).toEqual({ words, code: 0, err: "" });
    return out.trim();
  };
  beforeAll(async () => {
    if (kubectl === undefined) return;
    shell = openShell(kubectl, kubeconfigText(cluster.access));
    await run("apply -f -", workload);
    await seen(cluster.client, deployments, {
      name: "web",
      is: ({ status }) => status?.availableReplicas === 5,
    });
  }, 60_000);
  afterAll(() => shell?.close());

  const snapshot = (...words: readonly string[]) =>
    typed("snapshot", `--kubeconfig=${folder.kubeconfig}`, ...words);

  test("a snapshot has the Pods and none of the secrets", async () => {
    const plain = await snapshot();
    expect(plain).toMatchObject({ code: 0, err: "" });
    expect(plain.out).toContain("registry.example/shop/web:1");
    for (const { out } of [plain, await snapshot("-o", "json")]) expect(out).not.toContain("SECRET");
  });

  test("an anonymised one does not have its names either, and leads to the same answer", async () => {
    const { code, out } = await snapshot("--anonymise", "-o", "json");
    expect(code).toBe(0);
    for (const name of ["SECRET", "shop/web", "web-", "node-1"]) expect(out).not.toContain(name);
    const { objects } = JSON.parse(out) as {
      readonly objects: { readonly deployments: readonly { readonly metadata: Record<string, string> }[] };
    };
    const [only] = objects.deployments;
    const told = await typed(
      "whatif",
      `--snapshot=${folder.write("anonymised.json", out)}`,
      `--scale=${only?.metadata["name"]}=2`,
      `--namespace=${only?.metadata["namespace"]}`,
      "-o=json",
    );
    expect((JSON.parse(told.out) as WhatIfReport).went).toHaveLength(3);
  });

  test("a user who may only list gets the answer, so nothing else is asked for; those Pods go", async () => {
    await run("create serviceaccount reader");
    await run(`create clusterrole reader --verb=list --resource=${collections}`);
    await run("create clusterrolebinding reader --clusterrole=reader --serviceaccount=default:reader");
    // Otherwise ages would decide, which are others by the time the Deployment is scaled.
    const { items: before } = await cluster.client.list(pods, { namespace: "default" });
    const cheap = before.map(({ metadata }) => metadata.name).slice(1, 3);
    await run(`annotate pods ${cheap.join(" ")} controller.kubernetes.io/pod-deletion-cost=-1`);
    const token = await run("create token reader");
    const kubeconfig = folder.write("reader", kubeconfigText({ ...cluster.access, token }));
    const { code, out, err } = await typed(
      "whatif",
      `--kubeconfig=${kubeconfig}`,
      "--scale=web=3",
      "-o=json",
    );
    expect({ code, err }).toEqual({ code: 0, err: "" });
    const { went, workloads } = JSON.parse(out) as WhatIfReport;
    expect(workloads).toMatchObject([{ name: "web", before: { ready: 5 }, after: { ready: 3 } }]);

    await run("scale deployment web --replicas=3");
    await seen(cluster.client, deployments, { name: "web", is: ({ status }) => status?.replicas === 3 });
    const { items } = await cluster.client.list(pods, { namespace: "default" });
    const left = items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    expect(went.map(({ pod, rule }) => [pod, rule])).toEqual(cheap.map((name) => [name, "deletion-cost"]));
    expect(left.filter(({ metadata }) => cheap.includes(metadata.name))).toEqual([]);
  });

  test("Pods are placed as the cluster says that its scheduler does", async () => {
    const { out } = await typed("whatif", `--kubeconfig=${folder.kubeconfig}`, "--scale=web=4", "-o=json");
    const { assumptions } = JSON.parse(out) as WhatIfReport;
    expect(assumptions.join()).toContain("with the configuration that the cluster says it has");
  });

  test("a user who may view one namespace gets the answer of that namespace, and is told what is not seen", async () => {
    await run("create serviceaccount viewer");
    await run("create rolebinding viewer --clusterrole=view --serviceaccount=default:viewer");
    const token = await run("create token viewer");
    const kubeconfig = folder.write("viewer", kubeconfigText({ ...cluster.access, token }));
    const asked = ["--scale=web=1", "-o=json"];
    const all = JSON.parse(
      (await typed("whatif", `--kubeconfig=${folder.kubeconfig}`, ...asked)).out,
    ) as WhatIfReport;
    const { code, out, err } = await typed("whatif", `--kubeconfig=${kubeconfig}`, ...asked);
    expect(code).toBe(0);
    expect(err).toMatch(
      /^Note: Only namespace default was read, since this user may not list the whole cluster\. Not seen: .*nodes/,
    );
    expect(err.split("\n")).toHaveLength(1);
    const { went, assumptions } = JSON.parse(out) as WhatIfReport;
    expect(went.map(({ pod }) => pod)).toEqual(all.went.map(({ pod }) => pod));
    expect(assumptions.join()).toContain("Nodes are not seen");
  });

  test("a user without a permission is told which", async () => {
    await run("create serviceaccount blind");
    await run("create clusterrole blind --verb=list --resource=pods,deployments,nodes");
    await run("create clusterrolebinding blind --clusterrole=blind --serviceaccount=default:blind");
    const token = await run("create token blind");
    const kubeconfig = folder.write("blind", kubeconfigText({ ...cluster.access, token }));
    const missing = "permission to list replicasets.apps in the whole cluster is missing (403 Forbidden)";
    const refused = await typed("whatif", `--kubeconfig=${kubeconfig}`, "--scale=web=3");
    expect(refused).toEqual({
      code: 1,
      out: "",
      err: `trimtab whatif: ${cluster.access.url}: ${missing}`,
    });
  });

  test("a snapshot by a user who may not list nodes notes that they are left out", async () => {
    await run("create serviceaccount nodeless");
    await run("create clusterrole nodeless --verb=list --resource=pods,deployments,replicasets");
    await run("create clusterrolebinding nodeless --clusterrole=nodeless --serviceaccount=default:nodeless");
    const token = await run("create token nodeless");
    const kubeconfig = folder.write("nodeless", kubeconfigText({ ...cluster.access, token }));
    const { code, err } = await typed("snapshot", `--kubeconfig=${kubeconfig}`);
    expect(code).toBe(0);
    expect(err).toContain(
      "Note: left out: permission to list nodes in the whole cluster is missing (403 Forbidden)",
    );
  });
});

test("a picker is asked only with --ask-picker, and then the Pods go that it chose; it is only asked", async () => {
  const picker = await startHttpPicker(({ candidates }) => ({
    does: "answer",
    chosen: candidates.slice(-1),
  }));
  try {
    const { metadata: _, ...rest } = deployment("picked", {
      replicas: 3,
      // The default of a second is too short for a busy machine.
      picker: { http: { host: "127.0.0.1", port: picker.port }, timeoutSeconds: 30 },
    });
    await cluster.client.create(deployments, { ...rest, metadata: { name: "picked", namespace: "default" } });
    await seen(cluster.client, deployments, {
      name: "picked",
      is: ({ status }) => status?.availableReplicas === 3,
    });
    const ask = async (...words: readonly string[]) => {
      const asked = ["--scale=picked=2", "-o=json", ...words];
      const { out } = await typed("whatif", `--kubeconfig=${folder.kubeconfig}`, ...asked);
      return (JSON.parse(out) as WhatIfReport).went;
    };
    await ask();
    expect(picker.received).toHaveLength(0);
    const went = await ask("--ask-picker");
    expect(picker.received).toHaveLength(1);
    expect(went).toMatchObject([{ pod: picker.received[0]?.candidates.at(-1), rule: "picker" }]);
    const { spec } = await cluster.client.get(deployments, { namespace: "default", name: "picked" });
    expect(spec.replicas).toBe(3);
  } finally {
    await picker.close();
  }
});
