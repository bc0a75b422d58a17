import type { Deployment, ReplicaSet } from "../../api/generated/apps-v1.ts";
import { deployments, namespaces, replicaSets } from "../../api/resources.ts";
import type { Labels } from "../../api/labels/label-selector.ts";
import { downscalePodPickerOf } from "../../api/workload-settings.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import { type DecidedBy, findDecidedBy } from "../../decisions/explain/decided-by.ts";
import { wishesOf } from "../../decisions/stock/wish.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { EmbeddedConfiguration } from "../connection/embedded-configuration.ts";
import { examinePicker } from "./examine-picker.ts";
import { bad, type DoctorReport, type Finding, type FindingGroup, good, findingsReport } from "./finding.ts";
import { judgeCertificate } from "./judge-certificate.ts";
import { judgeCopies } from "./judge-copies.ts";
import { judgeWebhooks } from "./judge-webhooks.ts";
import { type ExaminedWorkload, judgeWishes } from "./judge-workload.ts";
import { probeSteer } from "./probe-steer.ts";
import { clusterReadingOf, valueRead } from "./reading.ts";
import { readSteerFacts, steerArguments, type SteerFacts, type SteerPlace } from "./steer-facts.ts";
import { readGates } from "./steer-gates.ts";
import { examineRights } from "./steer-rights.ts";

/** What `trimtab doctor` is asked. */
export interface DoctorOrder {
  readonly namespace: string;
  /** Absent: the cluster alone. */
  readonly workload?: { readonly kind: ExaminedWorkload["kind"]; readonly name: string } | undefined;
  readonly steer: SteerPlace;
  /** As whom steer runs; absent: as the ServiceAccount of its Deployment. */
  readonly steerUser?: string | undefined;
}

export interface DoctorEnvironment {
  readonly client: Client;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Of this program. */
  readonly version: string;
  readonly server: string;
  /** The version of the API server. */
  readonly gitVersion: string;
  /** Absent: the cluster is none of `trimtab up`. */
  readonly embedded?: { readonly configuration: EmbeddedConfiguration | undefined } | undefined;
  /** Where pickers may be asked from here. */
  readonly access: PickerAccess;
}

/** Looks at a cluster, and at a workload of it; nothing is changed there. */
export async function examineCluster(
  order: DoctorOrder,
  environment: DoctorEnvironment,
): Promise<DoctorReport> {
  const { client, signal, embedded } = environment;
  const found = await readWorkload(order, environment);
  const decidedBy = found.workload && findDecidedBy(found.workload.object, found.labels);
  const facts = await readSteerFacts(client, order.steer, signal);
  const isSteering = facts.mutating.state === "found" || facts.validating.state === "found";
  // Our own controllers need no steering; where it runs beside them, it is looked at all the same.
  const needsSteer = embedded === undefined && decidedBy?.controllers !== "external";
  return findingsReport([
    clusterGroup(environment, decidedBy),
    ...(isSteering || needsSteer ? [await steerGroup(facts, order, environment)] : []),
    ...(order.workload === undefined
      ? []
      : [await workloadGroup(order.workload, found, { order, environment, facts })]),
  ]);
}

/** Older ones do not call webhooks by conditions. */
const oldestMinor = 29;

function clusterGroup(
  { server, gitVersion, embedded }: DoctorEnvironment,
  decidedBy: DecidedBy | undefined,
): FindingGroup {
  const [, minor = ""] = /^v?1\.(\d+)/.exec(gitVersion) ?? [];
  const isOld = minor !== "" && Number(minor) < oldestMinor;
  const version = isOld
    ? bad(
        "API server",
        `${gitVersion} is older than 1.${oldestMinor}, which steer needs`,
        "trimtab controllers",
      )
    : good("API server", `answers, ${gitVersion}`);
  const gates = Object.entries(embedded?.configuration?.gates ?? {}).flatMap(([name, isOn]) =>
    isOn ? [name] : [],
  );
  return {
    about: `Cluster ${server}`,
    findings: [
      version,
      good("mode", modeOf(embedded !== undefined, decidedBy)),
      ...(gates.length === 0 ? [] : [good("gates", `${gates.join(", ")} on`)]),
    ],
  };
}

function modeOf(isEmbedded: boolean, decidedBy: DecidedBy | undefined): string {
  if (isEmbedded) return "embedded: the controllers of trimtab up decide";
  if (decidedBy === undefined) return "a cluster with its own controllers";
  return `${decidedBy.controllers}: ${decidedBy.because}`;
}

async function steerGroup(
  facts: SteerFacts,
  order: DoctorOrder,
  { client, clock, signal, version, embedded }: DoctorEnvironment,
): Promise<FindingGroup> {
  const webhooks = judgeWebhooks(facts);
  const about = `trimtab steer (${facts.namespace}/${facts.name})`;
  if (facts.clientConfig === undefined && facts.deployment.state !== "found")
    return { about, findings: webhooks };
  const now = clock.now();
  const words = steerArguments(facts) ?? [];
  const rights = {
    user: order.steerUser ?? serviceAccountOf(facts),
    name: facts.name,
    namespace: facts.namespace,
    asksPickers: readGates(words)["DownscalePodPicker"] === true,
  };
  return {
    about,
    findings: [
      ...webhooks,
      judgeCertificate(facts, now),
      ...judgeCopies(facts, { now, version }),
      // The API server of an embedded cluster authorizes everything.
      ...(embedded === undefined ? [await examineRights(client, rights, signal)] : []),
      await probeSteer(client, order.namespace, signal),
    ],
  };
}

function serviceAccountOf({ deployment, namespace }: SteerFacts): string | undefined {
  const spec = valueRead(deployment)?.spec.template.spec;
  return spec === undefined
    ? undefined
    : `system:serviceaccount:${namespace}:${spec.serviceAccountName ?? "default"}`;
}

interface FoundWorkload {
  readonly workload?: ExaminedWorkload | undefined;
  readonly labels: Labels;
  readonly problem?: Finding;
}

async function readWorkload(
  { namespace, workload }: DoctorOrder,
  { client, signal }: DoctorEnvironment,
): Promise<FoundWorkload> {
  const labels = valueRead(await clusterReadingOf(client.get(namespaces, { name: namespace }, signal)))
    ?.metadata.labels;
  if (workload === undefined) return { labels };
  const { kind, name } = workload;
  const found =
    kind === "Deployment"
      ? await clusterReadingOf(client.get(deployments, { namespace, name }, signal))
      : await clusterReadingOf(client.get(replicaSets, { namespace, name }, signal));
  if (found.state === "found")
    return { labels, workload: { kind, object: found.value as Deployment & ReplicaSet } };
  const says =
    found.state === "absent"
      ? `there is no ${kind} ${name} in namespace ${namespace}`
      : `it cannot be read: ${found.why}`;
  return { labels, problem: bad("found", says, `kubectl -n ${namespace} get ${kind.toLowerCase()}s`) };
}

interface Surroundings {
  readonly order: DoctorOrder;
  readonly environment: DoctorEnvironment;
  readonly facts: SteerFacts;
}

async function workloadGroup(
  { kind, name }: NonNullable<DoctorOrder["workload"]>,
  { workload, labels, problem }: FoundWorkload,
  { order: { namespace }, environment, facts }: Surroundings,
): Promise<FindingGroup> {
  const about = `${kind} ${namespace}/${name}`;
  if (workload === undefined) return { about, findings: problem === undefined ? [] : [problem] };
  const { client, clock, signal, access } = environment;
  const isEmbedded = environment.embedded !== undefined;
  const { controllers } = findDecidedBy(workload.object, labels);
  const isSteered = controllers === "steered" || controllers === "stock";
  const picker = isSteered ? wishesOf(workload.object, labels).picker : downscalePodPickerOf(workload.object);
  const { uid } = workload.object.metadata;
  const replicaSetsHere =
    valueRead(await clusterReadingOf(client.list(replicaSets, { namespace }, signal)))?.items ?? [];
  return {
    about,
    findings: [
      ...(isSteered
        ? judgeWishes(workload, {
            namespaceLabels: labels,
            leftOut: facts.leftOut,
            replicaSets: replicaSetsHere,
          })
        : [good("decided by", `${controllers} controllers of trimtab, which need no annotation`)]),
      ...(await examinePicker(picker, {
        client,
        clock,
        signal,
        isEmbedded,
        access,
        workload: { namespace, kind, name, uid },
        programArguments: steerArguments(facts),
      })),
    ],
  };
}
