import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { JsonObject } from "../../src/api/json.ts";
import { secrets, services } from "../../src/api/resources.ts";
import {
  type EmbeddedCluster,
  startProgramCluster,
} from "../../src/cluster/embedding/start-embedded-cluster.ts";
import { kubeconfigText } from "../../src/cluster/write-kubeconfig.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import { readFaultSettings } from "../../src/simulation/outside-faults/fault-settings.ts";
import {
  type OutsideFaults,
  outsideFaultsOf,
} from "../../src/simulation/outside-faults/inject-outside-faults.ts";
import { httpsCaller } from "../https-caller.ts";
import { freePort } from "../real-cluster/free-port.ts";
import { startOperator } from "./operator-process.ts";
import type { BuiltOperator, Manifest } from "./operator-module.ts";
import { recordRefusals, type RefusedRequest } from "./refused-requests.ts";

/** How an operator runs outside of the cluster that it works in. */
export interface OperatorSetup {
  readonly namespace: string;
  readonly serviceAccount: string;
  /** The Service that webhooks name. */
  readonly webhookService: string;
  /** Absent: it can be told where to listen. */
  readonly webhookPort?: number;
  /** The Secret in which it keeps the certificate that it makes itself, and which a kubelet would mount. */
  readonly certificateSecret?: string;
  /** Changes what is installed, beside this. */
  readonly prepare?: (manifests: readonly Manifest[], places: Places) => readonly Manifest[];
  /** How it is started. */
  readonly settings: (places: Places) => {
    readonly flags: readonly string[];
    readonly env?: Readonly<Record<string, string>>;
    /** The content of `configuration.yaml` in its folder. */
    readonly configuration?: JsonObject;
  };
}

export interface Places {
  /** The folder that the operator has for itself. */
  readonly folder: string;
  /** Where its webhooks find their certificate. */
  readonly certificates: string;
  readonly webhookPort: number;
}

/** A cluster with an operator, both running. */
export interface OperatorCluster {
  readonly cluster: EmbeddedCluster<Clock, true>;
  /** What the operator was refused. */
  readonly refused: () => readonly RefusedRequest[];
  readonly output: () => string;
  /** How often it has ended by itself, and was started again. */
  readonly restarts: () => number;
  readonly stop: () => Promise<void>;
}

const nodes = 4;

/** Installs an operator in a cluster of its own and starts it as its service account, with no more rights than its roles give. */
export async function startOperatorCluster(
  operator: BuiltOperator,
  setup: OperatorSetup,
): Promise<OperatorCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-operator-"));
  const certificates = path.join(folder, "k8s-webhook-server/serving-certs");
  mkdirSync(certificates, { recursive: true });
  const places = { folder, certificates, webhookPort: setup.webhookPort ?? (await freePort()) };
  const faults = chosenFaults();
  const { outsideRequests, refused } = recordRefusals(faults?.outsideRequests);
  const manifests = withEndpoint(
    setup.prepare?.(operator.manifests, places) ?? operator.manifests,
    setup,
    places,
  );
  const cluster = await startProgramCluster({ https: true, nodes, manifests }, { outsideRequests });
  const { flags, env = {}, configuration = {} } = setup.settings(places);
  writeFileSync(path.join(folder, "configuration.yaml"), JSON.stringify(configuration));
  const kubeconfig = path.join(folder, "kubeconfig");
  const token = await tokenOf(cluster.access, setup);
  writeFileSync(kubeconfig, kubeconfigText({ ...cluster.access, token }), { mode: 0o600 });
  const mounting = mountCertificates(cluster, setup, certificates);
  const running = startOperator(operator.program, flags, {
    HOME: folder,
    TMPDIR: folder,
    KUBECONFIG: kubeconfig,
    ...env,
  });
  return {
    cluster,
    refused,
    output: running.output,
    restarts: running.restarts,
    async stop() {
      await running.stop();
      if (faults !== undefined)
        process.stdout.write(
          `${faults.log()?.faults.length ?? 0} faults injected, ${running.restarts()} restarts\n`,
        );
      mounting.abort();
      await cluster.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the variable TRIMTAB_OPERATORS_FAULTS asks for, in the form of `trimtab up --faults`. */
function chosenFaults(): OutsideFaults | undefined {
  const text = process.env["TRIMTAB_OPERATORS_FAULTS"];
  if (text === undefined) return undefined;
  const read = readFaultSettings(text);
  if (!read.ok) throw new Error(`TRIMTAB_OPERATORS_FAULTS: ${read.problems.join("; ")}`);
  return outsideFaultsOf(read.settings);
}

/** Lets the Service lead to the process: addresses of simulated Pods are never dialled. */
function withEndpoint(
  manifests: readonly Manifest[],
  { webhookService }: OperatorSetup,
  { webhookPort }: Places,
): readonly Manifest[] {
  const annotations = { "sim.trimtab.dev/endpoint": `127.0.0.1:${webhookPort}` };
  return manifests.map((manifest) =>
    manifest.kind === services.kind && manifest.metadata.name === webhookService
      ? { ...manifest, metadata: { ...manifest.metadata, annotations } }
      : manifest,
  );
}

async function tokenOf(
  access: EmbeddedCluster<Clock, true>["access"],
  { namespace, serviceAccount }: OperatorSetup,
): Promise<string> {
  const caller = httpsCaller(access);
  const { text } = await caller.call(
    `POST /api/v1/namespaces/${namespace}/serviceaccounts/${serviceAccount}/token`,
    { headers: { "content-type": "application/json" }, body: JSON.stringify({ spec: {} }) },
  );
  caller.close();
  const { status } = JSON.parse(text) as { readonly status: { readonly token: string } };
  return status.token;
}

/** Writes the certificate into the operator's folder, as a kubelet does with the Secret that a Pod mounts. */
function mountCertificates(
  { client }: EmbeddedCluster,
  { namespace, certificateSecret }: OperatorSetup,
  folder: string,
): AbortController {
  const stopping = new AbortController();
  const follow = async (name: string) => {
    const query = { namespace, fieldSelector: `metadata.name=${name}` };
    for await (const event of client.watch(secrets, query, stopping.signal))
      if (event.type !== "BOOKMARK")
        for (const [file, text] of Object.entries(event.object.data ?? {}))
          writeFileSync(path.join(folder, file), Buffer.from(text, "base64"));
  };
  if (certificateSecret !== undefined)
    follow(certificateSecret).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
  return stopping;
}
