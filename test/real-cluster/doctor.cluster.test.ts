/** `trimtab doctor` beside a stock control plane: steer healthy, and broken in ten ways. */
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { JsonObject } from "../../src/api/json.ts";
import type { Resource } from "../../src/api/resource.ts";
import { deployments, secrets } from "../../src/api/resources.ts";
import type { DoctorReport, Finding } from "../../src/cli/doctor/finding.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "../../src/steering/serving/webhook-configuration.ts";
import { typed } from "../cli/type-command.ts";
import { eventually, untilObject } from "./eventually.ts";
import { type Picked, servePicker } from "./picker-server.ts";
import { type RealCluster, startRealCluster } from "./real-cluster.ts";
import { startScene } from "./scene.ts";
import { prepareSteer, type SteeredCluster, startSteer } from "./steer-program.ts";
import type { TrimtabProgram } from "./trimtab-program.ts";

let cluster: RealCluster;
let steered: SteeredCluster;
let steer: TrimtabProgram;
beforeAll(async () => {
  cluster = await startRealCluster({ controllers: "all", nodes: 2 });
  steered = await prepareSteer(cluster);
  steer = await startSteer(steered);
});
afterAll(() => cluster.stop());

const steerer = ["--steer-namespace=trimtab", "--steer-user=trimtab-steer"];

/** What `trimtab doctor` says: all findings, and those that are bad. */
async function doctor(...words: readonly string[]) {
  const { code, out, err } = await typed(
    "doctor",
    `--kubeconfig=${cluster.kubeconfig}`,
    "-o=json",
    ...steerer,
    ...words,
  );
  if (out === "") throw new Error(err);
  const findings = (JSON.parse(out) as DoctorReport).groups.flatMap((group) => group.findings);
  const inState = (wanted: Finding["state"]) =>
    findings.flatMap(({ name, state }) => (state === wanted ? [name] : []));
  return { code, findings, good: inState("good"), bad: inState("bad") };
}

const saysOf = (findings: readonly Finding[], name: string) => findings.find((each) => each.name === name);

const ordered = { "trimtab.dev/removal-order": "trimtab" };
const ofSteer = ["mutating", "validating", "address", "certificate", "leader", "rights", "in force"];

test("steer that is healthy is green, in words and in its exit code", async () => {
  const scene = await startScene(cluster, "healthy", { replicas: 2, annotations: ordered });
  await scene.settled(2);
  const at = ["deploy/web", "--namespace=healthy"];
  await eventually("the ReplicaSet carries what is asked for", async () =>
    (await doctor(...at)).bad.length === 0 ? true : undefined,
  );
  const { code, good, findings } = await doctor(...at);
  expect(code).toBe(0);
  expect(good).toEqual(["API server", "mode", ...ofSteer, "asks for", "values", "carried"]);
  expect(saysOf(findings, "rights")?.says).toMatch(/^trimtab-steer has all \d+ that it needs$/);
  expect((await cluster.client.list(deployments, { namespace: "healthy" })).items).toHaveLength(1);
});

describe("a picker", () => {
  const picks = (): Picked => ({ chosen_pods: [] });
  const examine = async (namespace: string, annotations: Readonly<Record<string, string>>) => {
    await startScene(cluster, namespace, { replicas: 1, annotations });
    const carried = () => doctor("deploy/web", `--namespace=${namespace}`, "--picker-allow=127.0.0.1");
    await eventually("the picker is carried", async () =>
      (await carried()).bad.includes("carried") ? undefined : true,
    );
    return carried();
  };

  test("that answers is green", async () => {
    expect(await examine("picker-answers", await servePicker(picks))).toMatchObject({ code: 0, bad: [] });
  });

  test("that fails is red (1)", async () => {
    const { code, bad } = await examine(
      "picker-fails",
      await servePicker(() => Promise.reject(new Error("no database"))),
    );
    expect({ code, bad }).toEqual({ code: 1, bad: ["picker answers"] });
  });

  test("whose Secret is missing is red, with the command that makes it (2)", async () => {
    const header = { name: "x-token", valueFrom: { secretKeyRef: { name: "token", key: "it" } } };
    const http = { host: "127.0.0.1", port: 1, httpHeaders: [header] };
    const annotations = { "trimtab.dev/downscale-pod-picker": JSON.stringify({ http }) };
    const { bad, findings } = await examine("picker-secret", annotations);
    expect(bad).toEqual(["picker Secrets", "picker answers"]);
    expect(saysOf(findings, "picker Secrets")?.mend).toBe(
      "kubectl -n picker-secret create secret generic token --from-literal=it=VALUE",
    );
  });
});

test("a right that steer lacks is red, and named (3)", async () => {
  const group = "rbac.authorization.k8s.io";
  const role = await cluster.client.resource({ group, kind: "ClusterRoleBinding" });
  const name = "trimtab-steer";
  const binding = await cluster.client.get(role, { name });
  await cluster.client.delete(role, { name });
  onTestFinished(async () => {
    const { resourceVersion, uid, ...metadata } = binding.metadata;
    expect({ resourceVersion, uid }).toBeDefined();
    await cluster.client.create(role, { ...binding, metadata });
    await eventually("the rights are back", async () => ((await doctor()).code === 0 ? true : undefined));
  });
  await eventually("the right is gone", async () =>
    (await doctor()).bad.includes("rights") ? true : undefined,
  );
  const { findings } = await doctor();
  expect(saysOf(findings, "rights")?.says).toContain("trimtab-steer may not: get deployments.apps;");
});

test("a namespace that is left out is red (4)", async () => {
  const { bad, findings } = await doctor("--namespace=kube-system");
  expect(bad).toEqual(["in force"]);
  expect(saysOf(findings, "in force")?.says).toContain("steer was not asked about namespace kube-system");
});

/** Steer ends, so that what is broken then stays broken. */
describe("once steer has ended", () => {
  beforeAll(() => steer.stop());

  /** Breaks an object by a merge patch, or removes it; it is as before after the test. */
  async function breaking(
    resource: Resource,
    name: string,
    body: JsonObject | undefined,
    namespace?: string,
  ) {
    const { client } = cluster;
    const at = { ...(namespace !== undefined && { namespace }), name };
    const before = await client.get(resource, at);
    onTestFinished(async () => {
      const { resourceVersion, uid, ...metadata } = before.metadata;
      expect({ resourceVersion, uid }).toBeDefined();
      await client.delete(resource, at).catch(() => undefined);
      await client.create(resource, { ...before, metadata });
    });
    if (body === undefined) await client.delete(resource, at);
    else await client.patch(resource, at, { type: "merge", body });
  }

  test("nobody leads, and nothing is in force (5, 6)", async () => {
    expect((await doctor()).bad).toEqual(["leader", "in force"]);
  });

  const certificate = "trimtab-steer-certificate";
  const encoded = (text: string) => Buffer.from(text).toString("base64");
  test.for([
    { way: 7, what: "mutating", resource: mutatingWebhookConfigurations, body: undefined },
    { way: 8, what: "validating", resource: validatingWebhookConfigurations, body: { webhooks: [] } },
    {
      way: 9,
      what: "certificate",
      resource: secrets,
      body: { data: { "tls.crt": encoded("nonsense") } },
    },
  ])("a broken $what is red ($way)", async ({ what, resource, body }) => {
    const isSecret = resource.plural === "secrets";
    await breaking(
      resource,
      isSecret ? certificate : "trimtab-steer",
      body,
      isSecret ? "trimtab" : undefined,
    );
    expect((await doctor()).bad).toContain(what);
  });

  test("a wish that was written meanwhile and makes no sense is red (10)", async () => {
    const annotations = { "trimtab.dev/removal-order": "newest" };
    await startScene(cluster, "nonsense", { replicas: 1, annotations });
    await untilObject(
      cluster.client,
      deployments,
      { namespace: "nonsense", name: "web" },
      ({ status }) => status?.observedGeneration === 1,
    );
    expect((await doctor("deploy/web", "--namespace=nonsense")).bad).toContain("values");
  });

  test("all of it is green again when steer is back", async () => {
    steer = await startSteer(steered);
    await eventually("it is in force", async () => ((await doctor()).code === 0 ? true : undefined));
    expect((await doctor()).good).toEqual(expect.arrayContaining(ofSteer));
  });
});
