import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { defaultFeatureGates } from "../../src/api/feature-gates.ts";
import type { Deployment } from "../../src/api/generated/apps-v1.ts";
import { pods, priorityClasses } from "../../src/api/resources.ts";
import { readManifests } from "../../src/cli/read-manifests.ts";
import { readSchedulerSettings, schedulerFlags } from "../../src/cli/control-plane/scheduler-settings.ts";
import { CurrentConfig } from "../../src/scheduler/configuration/current-config.ts";
import { defaultSchedulerConfig } from "../../src/scheduler/configuration/scheduler-config.ts";
import { schedulerComponent } from "../../src/scheduler/scheduler-component.ts";
import { startOperated } from "../controllers/operated.ts";
import { grantedPermissions } from "../controllers/rbac.ts";
import { startEmbedded } from "../embedded-cluster.ts";
import { podDraft } from "../scheduler/fixture.ts";

test("the permissions in deploy/ are exactly those that the scheduler uses", async () => {
  const config = new CurrentConfig(defaultSchedulerConfig(defaultFeatureGates));
  const { client, pass, end } = await startOperated({
    components: [schedulerComponent({ config, claims: "elsewhere" })],
    without: ["scheduler"],
    lease: "trimtab-scheduler",
  });
  // A Pod that fits and is preempted, and one that does not fit, whose event repeats.
  await client.create(pods, podDraft("fits"));
  await client.create(pods, podDraft("stuck", { spec: { nodeSelector: { disk: "ssd" } } }));
  await pass();
  const metadata = { name: "high" };
  await client.create(priorityClasses, { metadata, value: 100 });
  const containers = [{ name: "app", image: "app:1", ports: [{ containerPort: 80, hostPort: 80 }] }];
  await client.create(pods, podDraft("low", { spec: { containers } }));
  await pass();
  await client.create(pods, podDraft("high", { spec: { containers, priorityClassName: "high" } }));
  for (let minute = 0; minute < 7; minute++) await pass();
  expect([...(await end())].toSorted()).toEqual([...grantedPermissions("trimtab-scheduler")].toSorted());
});

const deployed = (file: string) => fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url));

test("an API server takes the manifests in deploy/, and the program the arguments in them", async () => {
  const { client, stop } = await startEmbedded({ components: [] });
  onTestFinished(stop);
  const files = ["scheduler/scheduler.yaml", "scheduler/cluster-role.yaml", "cluster-role.yaml"];
  const read = readManifests(files.map(deployed));
  if (!read.ok) throw new Error(read.problem);
  for (const { resource, object } of read.manifests) await client.create(resource, object);

  const documents = parseAllDocuments(readFileSync(deployed("scheduler/scheduler.yaml"), "utf8"));
  const deployment = documents.at(-1)?.toJS() as Deployment | undefined;
  const [command, ...words] = deployment?.spec.template.spec?.containers[0]?.args ?? [];
  expect(command).toBe("scheduler");
  const given = words.map((word) => word.replace(/^--/, "").split("="));
  const flags = Object.entries(schedulerFlags).map(([name, flag]) => [name, flag.default]);
  const invocation = { flags: Object.fromEntries([...flags, ...given]), arguments: [] };
  expect(readSchedulerSettings(invocation)).toMatchObject({
    config: "/etc/trimtab/scheduler.yaml",
    serving: { address: "0.0.0.0" },
    port: 10_282,
  });
});
