import { readFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, onTestFinished, test, type TestContext } from "vitest";
import { parse } from "yaml";
import type { PolicyRule } from "../../src/api/generated/rbac-v1.ts";
import { pods, replicaSets, serviceAccounts } from "../../src/api/resources.ts";
import { installManifests } from "../../src/cli/install/install-manifests.ts";
import { parseConfiguration } from "../../src/cli/picker/picker-serve-settings.ts";
import { parseSteeringConfig } from "../../src/cli/steer/steer-settings.ts";
import { roomLabel } from "../../src/decisions/stock/wish.ts";
import { decisionAnnotation, originalCostAnnotation } from "../../src/decisions/stock/mark.ts";
import type { ClientCall } from "../../src/machinery/client/intercept-client.ts";
import { removeSteering } from "../../src/steering/remove-steering.ts";
import { testCluster } from "../../src/testing/test-cluster.ts";
import type { ClientProgram } from "../clients/client-process.ts";
import type { BuiltTool } from "../clients/tool-cache.ts";
import { buildHelm, programIn } from "../clients/tools.ts";
import { neededPermissions, permissionsOf } from "../controllers/rbac.ts";
import type { JsonObject } from "../../src/api/json.ts";
import { chart, lint, objectsIn, type Rendered, template } from "./render-chart.ts";

const image = "registry.example/trimtab:0.1.0";

describe.for([3, 4] as const)("the chart, by Helm %i", (major) => {
  let tool: BuiltTool;
  beforeAll(async () => {
    tool = await buildHelm(major);
  }, 1_800_000);

  function use({ skip }: TestContext): ClientProgram {
    if ("missing" in tool) return skip(tool.missing);
    return { command: [programIn(tool.folder)], env: { PATH: process.env["PATH"], HOME: tool.folder } };
  }

  async function render(context: TestContext, ...values: readonly string[]) {
    const { code, out, err } = await template(use(context), [`image=${image}`, ...values]);
    if (code !== 0) throw new Error(err);
    return objectsIn(out);
  }

  test("has nothing to lint", async (context) => {
    expect(await lint(use(context))).toMatchObject({ code: 0 });
  });

  test.for([
    { name: "steer", values: [], settings: { program: "steer", pickers: [] } },
    {
      name: "steer with pod pickers",
      values: ["picker.allow={picker.shop.svc,10.0.0.0/8}"],
      settings: { program: "steer", pickers: ["picker.shop.svc", "10.0.0.0/8"] },
    },
    {
      name: "the controllers",
      values: ["steer.enabled=false", "controllers.enabled=true"],
      settings: { program: "controllers", pickers: [] },
    },
    {
      name: "the scheduler",
      values: ["steer.enabled=false", "scheduler.enabled=true"],
      settings: { program: "scheduler", pickers: [] },
    },
  ] as const)(
    "renders what trimtab install --print prints, and its hooks: $name",
    async ({ values, settings }, context) => {
      const rendered = await render(context, ...values);
      const printed = new Map(objectsIn(installManifests({ ...settings, image, namespace: "trimtab" })));
      // Helm makes the namespace itself, with --create-namespace.
      expect(printed.delete("Namespace trimtab")).toBe(true);
      const own = [...rendered].filter(([, object]) => !isHook(object));
      expect(new Map(own.map(([name, object]) => [name, withoutHash(object)]))).toEqual(printed);
    },
  );

  test("runs the controllers that are optional with their roles, and only where they are named", async (context) => {
    const values = ["steer.enabled=false", "controllers.enabled=true"];
    const [without, one, both] = [
      await render(context, ...values),
      await render(context, ...values, "controllers.optional={daemonset-controller}"),
      await render(context, ...values, "controllers.optional={statefulset-controller,daemonset-controller}"),
    ];
    const added = (objects: typeof one) => [...objects.keys()].filter((key) => !without.has(key)).toSorted();
    const rights = (name: string) => [`ClusterRole ${name}`, `ClusterRoleBinding ${name}`];
    expect(added(one)).toEqual(rights("trimtab-daemonset-controller"));
    const all = ["trimtab-statefulset-controller", "trimtab-daemonset-controller"].flatMap(rights);
    expect(added(both)).toEqual(all.toSorted());
    const file = path.resolve(chart, "../../optional-controllers.yaml");
    for (const [key, role] of objectsIn(readFileSync(file, "utf8"))) expect(both.get(key)).toEqual(role);
    const args = JSON.stringify(both.get("DaemonSet trimtab-controllers"));
    expect(args).toContain('"--controllers=*,statefulset-controller,daemonset-controller"');
    expect(JSON.stringify(without.get("DaemonSet trimtab-controllers"))).not.toContain("--controllers");
  });

  test("takes one host of a picker without braces too, as the shell wants it", async (context) => {
    const [bare, braced] = [
      await render(context, "picker.allow=picker.shop.svc"),
      await render(context, "picker.allow={picker.shop.svc}"),
    ];
    expect(bare).toEqual(braced);
    expect([...bare.keys()]).toContain("ClusterRole trimtab-pod-pickers");
  });

  test("keeps observations in a claim, or else in a ConfigMap that only the copies may write", async (context) => {
    const enabled = ["steer.mode=observe", "steer.observations.enabled=true"];
    const summed = await render(context, ...enabled);
    expect([...summed.keys()]).toContain("ConfigMap trimtab-steer-observations");
    expect(JSON.stringify(summed.get("Deployment trimtab-steer"))).toContain(
      "--observations=configmap/trimtab-steer-observations",
    );
    expect(summed.get("Role trimtab-steer")).toMatchObject({
      rules: expect.arrayContaining([
        {
          apiGroups: [""],
          resources: ["configmaps"],
          resourceNames: ["trimtab-steer-observations"],
          verbs: ["get", "patch"],
        },
      ]) as unknown,
    });
    const claimed = await render(context, ...enabled, "steer.observations.claim=seen");
    expect([...claimed.keys()]).not.toContain("ConfigMap trimtab-steer-observations");
    expect(JSON.stringify(claimed.get("Deployment trimtab-steer"))).toContain(
      "--observations=/var/lib/trimtab",
    );
    expect(JSON.stringify(claimed.get("Role trimtab-steer"))).not.toContain("configmaps");
  });

  test("has the scheduler beside steer, too, with what surrounds both", async (context) => {
    const around = ["networkPolicy.enabled=true", "podDisruptionBudget.enabled=true"];
    const both = await render(context, "scheduler.enabled=true", ...around);
    const alone = await render(context, "scheduler.enabled=true", "steer.enabled=false", ...around);
    const steer = await render(context, ...around);
    expect(new Set(both.keys())).toEqual(new Set([...alone.keys(), ...steer.keys()]));
    const kinds = ["Deployment", "NetworkPolicy", "PodDisruptionBudget", "ConfigMap"];
    expect([...alone.keys()]).toEqual(
      expect.arrayContaining(kinds.map((kind) => `${kind} trimtab-scheduler`)),
    );
  });

  const picker = [
    "pickers.enabled=true",
    "pickers.configuration.pickers[0].name=workers",
    "pickers.configuration.pickers[0].workload.namespace=shop",
    "pickers.configuration.pickers[0].workload.name=worker",
    "pickers.configuration.pickers[0].score.annotation.key=example.com/busy",
    "pickers.secrets={prometheus-token}",
  ];

  test.for([
    { asker: "steer", kind: "Deployment", values: [] },
    { asker: "controllers", kind: "DaemonSet", values: ["steer.enabled=false", "controllers.enabled=true"] },
  ])("serves pickers that $asker may ask, and nobody else", async ({ asker, kind, values }, context) => {
    const objects = await render(context, ...values, ...picker, "picker.allow=other.shop.svc");
    const { data } = objects.get("ConfigMap trimtab-pickers") as unknown as { data: Record<string, string> };
    expect(parseConfiguration(data["pickers.yaml"] ?? "")).toMatchObject({
      ok: true,
      value: { serving: { port: 8080 }, pickers: [{ name: "workers" }] },
    });
    const flags = ["--picker-allow=other.shop.svc", "--picker-allow=trimtab-pickers.trimtab.svc"];
    expect(JSON.stringify(objects.get(`${kind} trimtab-${asker}`))).toContain(
      JSON.stringify(flags).slice(1, -1),
    );
    expect(objects.get("NetworkPolicy trimtab-pickers")).toMatchObject({
      spec: {
        policyTypes: ["Ingress"],
        ingress: [
          {
            from: [{ podSelector: { matchLabels: { "app.kubernetes.io/name": `trimtab-${asker}` } } }],
            ports: [{ port: "picker" }],
          },
          { ports: [{ port: "diagnostics" }] },
        ],
      },
    });
    expect(JSON.stringify(objects.get("Deployment trimtab-pickers"))).toContain(
      '"mountPath":"/etc/trimtab-secrets/prometheus-token"',
    );
    const around = [
      "networkPolicy.enabled=true",
      "podDisruptionBudget.enabled=true",
      "serviceMonitor.enabled=true",
    ];
    const more = await render(context, ...values, ...picker, ...around);
    expect([...more.keys()]).toEqual(
      expect.arrayContaining(["PodDisruptionBudget trimtab-pickers", "ServiceMonitor trimtab-pickers"]),
    );
    expect(more.get("NetworkPolicy trimtab-pickers")).toMatchObject({
      spec: { policyTypes: ["Ingress", "Egress"] },
    });
    expect(JSON.stringify(more.get(`NetworkPolicy trimtab-${asker}`))).toContain(
      '{"port":8080,"protocol":"TCP"}',
    );
  });

  const hashIn = (objects: ReadonlyMap<string, Rendered>, name: string) =>
    (objects.get(name) as unknown as PodOwner).spec.template.metadata.annotations?.[configurationHash];

  test.for([
    { program: "steer", setting: "steer.timeoutSeconds=5", other: "steer.replicas=3" },
    {
      program: "scheduler",
      setting: "scheduler.configuration.percentageOfNodesToScore=50",
      other: "scheduler.replicas=3",
    },
    {
      program: "pickers",
      setting: "pickers.configuration.pickers[0].timeout=1s",
      other: "pickers.replicas=3",
    },
  ])(
    "replaces the Pods of $program when its configuration changes, and only then",
    async ({ program, setting, other }, context) => {
      const name = `Deployment trimtab-${program}`;
      const values = ["scheduler.enabled=true", ...picker];
      const before = hashIn(await render(context, ...values), name);
      expect(before).toMatch(/^[0-9a-f]{64}$/);
      expect(hashIn(await render(context, ...values, setting), name)).not.toBe(before);
      expect(hashIn(await render(context, ...values, other), name)).toBe(before);
    },
  );

  test("gives every program the labels and annotations that a cluster asks for, and a monitor", async (context) => {
    const values = [
      "podLabels.team=a",
      "podAnnotations.note=b",
      "labels.cost=c",
      "serviceMonitor.enabled=true",
    ];
    const programs = [
      { name: "steer", kind: "Deployment", values: [] },
      { name: "scheduler", kind: "Deployment", values: ["steer.enabled=false", "scheduler.enabled=true"] },
      { name: "controllers", kind: "DaemonSet", values: ["steer.enabled=false", "controllers.enabled=true"] },
      { name: "pickers", kind: "Deployment", values: picker },
    ];
    for (const program of programs) {
      const objects = await render(context, ...values, ...program.values);
      expect(objects.get(`${program.kind} trimtab-${program.name}`)).toMatchObject({
        metadata: { labels: { cost: "c" } },
        spec: { template: { metadata: { labels: { team: "a" }, annotations: { note: "b" } } } },
      });
      const selected = { "app.kubernetes.io/name": `trimtab-${program.name}` };
      expect(objects.get(`ServiceMonitor trimtab-${program.name}`)).toMatchObject({
        spec: { selector: { matchLabels: selected } },
      });
      expect(objects.get(`Service trimtab-${program.name}`)).toMatchObject({
        metadata: { labels: selected },
        spec: { selector: selected },
      });
    }
  });

  test("limits the ports of every program, with those that are given", async (context) => {
    const around = ["networkPolicy.enabled=true", "networkPolicy.egressPorts={8443}"];
    const both = await render(context, "scheduler.enabled=true", ...around);
    const controllers = await render(context, "steer.enabled=false", "controllers.enabled=true", ...around);
    const policies = [...both.values(), ...controllers.values()].filter(
      ({ kind }) => kind === "NetworkPolicy",
    );
    const ports = [53, 53, 443, 6443, 8443].map((port) => expect.objectContaining({ port }));
    expect(policies.map(({ metadata, spec }) => [metadata.name, spec])).toEqual(
      ["trimtab-steer", "trimtab-scheduler", "trimtab-controllers"].map((name) => [
        name,
        expect.objectContaining({ egress: [{ ports }] }),
      ]),
    );
  });

  test("owns the Lease of a program that no hook removes, and so deletes it", async (context) => {
    const leases = async (...values: readonly string[]) =>
      [...(await render(context, ...values)).keys()].filter((key) => key.startsWith("Lease "));
    expect(await leases("scheduler.enabled=true")).toEqual(["Lease trimtab-scheduler"]);
    expect(await leases("steer.enabled=false", "controllers.enabled=true")).toEqual([
      "Lease trimtab-controllers",
    ]);
  });

  test("takes a whole KubeSchedulerConfiguration", async (context) => {
    const values = ["steer.enabled=false", "scheduler.enabled=true"];
    const whole = [
      "scheduler.configuration.apiVersion=kubescheduler.config.k8s.io/v1",
      "scheduler.configuration.kind=KubeSchedulerConfiguration",
      "scheduler.configuration.percentageOfNodesToScore=50",
    ];
    const objects = await render(context, ...values, ...whole);
    const { data } = objects.get("ConfigMap trimtab-scheduler") as { data?: Record<string, string> };
    expect(parse(data?.["scheduler.yaml"] ?? "")).toEqual({
      apiVersion: "kubescheduler.config.k8s.io/v1",
      kind: "KubeSchedulerConfiguration",
      percentageOfNodesToScore: 50,
      profiles: [{ schedulerName: "trimtab" }],
    });
  });

  test("has nothing around the Pods unless asked to", async (context) => {
    const around = ["NetworkPolicy", "PodDisruptionBudget", "ServiceMonitor"];
    const kinds = (objects: ReadonlyMap<string, Rendered>) =>
      [...objects.values()].map(({ kind }) => kind).filter((kind) => around.includes(kind));
    expect(kinds(await render(context))).toEqual([]);
    const asked = ["networkPolicy", "podDisruptionBudget", "serviceMonitor"].map(
      (name) => `${name}.enabled=true`,
    );
    expect(kinds(await render(context, ...asked)).toSorted()).toEqual(around);
  });

  test("writes a configuration that steer reads: default spreading, a certificate of others, a name for localhost", async (context) => {
    const objects = await render(
      context,
      "steer.defaultSpread[0].name=zones",
      "steer.defaultSpread[0].namespaceSelector.matchLabels.spread=zones",
      "steer.defaultSpread[0].podTopologySpreadArgs.defaultingType=List",
      "steer.defaultSpread[0].podTopologySpreadArgs.defaultConstraints[0].maxSkew=1",
      "steer.defaultSpread[0].podTopologySpreadArgs.defaultConstraints[0].topologyKey=zone",
      "steer.defaultSpread[0].podTopologySpreadArgs.defaultConstraints[0].whenUnsatisfiable=ScheduleAnyway",
      "steer.certificate.secret=from-cert-manager",
      "steer.service.externalName=localhost",
      "steer.timeoutSeconds=5",
    );
    const { data } = objects.get("ConfigMap trimtab-steer") as unknown as { data: Record<string, string> };
    expect(
      parseSteeringConfig(data["steering.yaml"] ?? "", { namespace: "trimtab", isPod: true }),
    ).toMatchObject({
      ok: true,
      config: {
        address: { kind: "service", namespace: "trimtab", name: "trimtab-steer", port: 9443 },
        timeoutSeconds: 5,
        certificate: { kind: "files", certificate: "/etc/trimtab-certificate/tls.crt" },
        spread: [{ name: "zones", constraints: [{ topologyKey: "zone" }] }],
      },
    });
    expect(objects.get("Service trimtab-steer")).toMatchObject({
      spec: { type: "ExternalName", externalName: "localhost" },
    });
  });

  test.for([
    { values: [], says: "image: name the image with the package in it" },
    {
      values: ["image=a", "steer.enabled=false", "scheduler.enabled=true", "picker.allow=a"],
      says: "picker.allow: the scheduler asks no pickers",
    },
    {
      values: ["image=a", "scheduler.replicas=-1"],
      says: "at '/scheduler/replicas': minimum: got -1, want 0",
    },
    {
      values: ["image=a", "scheduler.configuration.profiles=null"],
      says: "at '/scheduler/configuration': missing property 'profiles'",
    },
    {
      values: ["image=a", "controllers.enabled=true"],
      says: "controllers.enabled: the controllers do themselves what steer makes the stock ones do",
    },
    {
      values: ["image=a", "steer.enabled=false", "scheduler.enabled=true", "pickers.enabled=true"],
      says: "pickers.enabled: the scheduler asks no pickers; enable steer or controllers",
    },
    {
      values: ["image=a", "pickers.enabled=true"],
      says: "pickers.configuration.pickers: name at least one picker",
    },
    {
      values: ["image=a", "steer.enabled=false", "controllers.enabled=true", "controllers.optional={job}"],
      says: "at '/controllers/optional/0': value must be one of",
    },
    { values: ["image=a", "steer.enabled=false"], says: "steer.enabled: nothing is left to install" },
    { values: ["image=a", "steer.replicas=two"], says: "at '/steer/replicas': got string, want integer" },
    {
      values: ["image=a", "steer.timeoutSeconds=31"],
      says: "at '/steer/timeoutSeconds': maximum: got 31, want 30",
    },
    { values: ["image=a", "nonsense=1"], says: "additional properties 'nonsense' not allowed" },
    { values: ["image=a", "featureGates.A=maybe"], says: "at '/featureGates/A': got string, want boolean" },
    { values: ["image=a", "logLevel=loud"], says: "at '/logLevel': value must be one of" },
  ])("refuses $values: $says", async ({ values, says }, context) => {
    const { code, err } = await template(use(context), values);
    expect(code).not.toBe(0);
    expect(err).toContain(says);
  });

  test("the hook that runs before the chart is deleted has a role of its own, while it runs", async (context) => {
    const hooks = [...(await render(context)).values()].filter(isHook);
    expect(hooks.map(({ kind }) => kind).toSorted()).toEqual([
      "ClusterRole",
      "ClusterRoleBinding",
      "Job",
      "Role",
      "RoleBinding",
      "ServiceAccount",
    ]);
    expect(hooks.map(({ metadata }) => metadata.annotations?.["helm.sh/hook"])).toEqual(
      hooks.map(() => "pre-delete"),
    );
    expect((await render(context, "uninstall.enabled=false")).get("Job trimtab-uninstall")).toBeUndefined();
  });
});

test("values.yaml has every value that the schema knows, and no other", () => {
  const read = (file: string) => readFileSync(path.join(chart, file), "utf8");
  const schema = JSON.parse(read("values.schema.json")) as Schema;
  const values = parse(read("values.yaml")) as Readonly<Record<string, object>>;
  const { global: _ofHelm, ...known } = schema.properties ?? {};
  const described = Object.entries(known).map(([name, { properties = {} }]) => [
    name,
    Object.keys(properties),
  ]);
  // What the schema leaves open is handed to Kubernetes as it is.
  const written = Object.entries(values).map(([name, value]) => [
    name,
    known[name]?.properties === undefined ? [] : Object.keys(value),
  ]);
  expect(Object.fromEntries(written)).toEqual(Object.fromEntries(described));
});

test("the hook is allowed exactly what trimtab uninstall asks for", async (context) => {
  const helm = await buildHelm(4);
  if ("missing" in helm) return context.skip(helm.missing);
  const program = { command: [programIn(helm.folder)], env: { HOME: helm.folder } };
  const { out } = await template(program, [`image=${image}`]);
  const roles = ["ClusterRole trimtab-uninstall", "Role trimtab-uninstall"].map((name) =>
    objectsIn(out).get(name),
  );
  const granted = roles.flatMap((role) => permissionsOf((role as unknown as { rules: PolicyRule[] }).rules));
  expect([...neededPermissions(await requestsOfRemoval(), granted)].toSorted()).toEqual(granted.toSorted());
});

/** Every kind of request that removing can take: a marked Pod, a ReplicaSet that was woken. */
async function requestsOfRemoval(): Promise<readonly ClientCall[]> {
  const cluster = await testCluster({ components: [], nodes: 0 });
  onTestFinished(() => cluster.stop());
  const { client, clock, observed } = cluster;
  const namespace = "default";
  const labels = { app: "web" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "web", image: "web" }] } };
  await client.create(serviceAccounts, { metadata: { name: "default", namespace } });
  const annotations = { [decisionAnnotation]: "7f3a9c20e1.2.-1", [originalCostAnnotation]: "" };
  await client.create(pods, { metadata: { name: "marked", namespace, annotations }, spec: template.spec });
  const spec = { replicas: 0, selector: { matchLabels: labels }, template };
  const metadata = { name: "woken", namespace, labels: { [roomLabel]: "1" } };
  await client.create(replicaSets, { metadata, spec });
  const name = "trimtab-steer";
  const names = { name, namespace, lease: name, secret: "trimtab-steer-certificate" };
  await removeSteering({ client: observed.client, clock, ...names }, new AbortController().signal);
  return observed.requests;
}

interface PodOwner {
  readonly spec: {
    readonly template: { readonly metadata: { readonly annotations?: Readonly<Record<string, string>> } };
  };
}

interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>;
}

/** The Pods as they are without the hash of their configuration: the plain manifests never change it. */
function withoutHash(object: Rendered): Rendered {
  const template = object["spec"] as { readonly template?: { readonly metadata?: JsonObject } } | undefined;
  const { annotations, ...metadata } = template?.template?.metadata ?? {};
  if (annotations === undefined) return object;
  expect(annotations).toEqual({ [configurationHash]: expect.any(String) });
  return { ...object, spec: { ...template, template: { ...template?.template, metadata } } };
}

const configurationHash = "trimtab.dev/configuration";

const isHook = ({ metadata }: Rendered): boolean => metadata.annotations?.["helm.sh/hook"] !== undefined;
