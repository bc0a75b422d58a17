import type { KeyPair } from "../machinery/certificates/certificate.ts";
import type { ComponentEnvironment } from "../machinery/component/component.ts";
import { type ControllerSpec, runController } from "../machinery/controller.ts";
import { InformerFactory } from "../machinery/informer/informer-factory.ts";
import type { ElectionTiming } from "../machinery/leader-election/election.ts";
import { runLeaderElection } from "../machinery/leader-election/run-leader-election.ts";
import type { Gauge } from "../machinery/metrics/metrics.ts";
import type { PrometheusMetrics } from "../machinery/metrics/prometheus-metrics.ts";
import { workqueueMetrics } from "../machinery/metrics/workqueue-metrics.ts";
import { delegatedAuthorizer } from "../machinery/diagnostics/delegated-authorizer.ts";
import type { Diagnostics } from "../machinery/diagnostics/diagnostics.ts";
import { type SecureServing, serveDiagnostics } from "../machinery/diagnostics/serve-diagnostics.ts";
import type { SteeringOptions } from "./dependencies.ts";
import { webhooksController } from "./webhooks.ts";
import { certificateEnd, CertificateSecret, type ServingIdentity } from "./serving/certificate-secret.ts";
import { serveAdmission } from "./serving/serve-admission.ts";
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from "./serving/webhook-configuration.ts";
import { namespaces, replicaSets } from "../api/resources.ts";
import type { ObjectName } from "../machinery/client/client.ts";
import { ObservationSummaries, summariesController } from "./observation-summaries.ts";
import { createSteering } from "./steering.ts";
import type { SteeringConfig } from "./steering-config.ts";

export interface RunSteeringOptions
  extends Omit<ComponentEnvironment, "informers" | "signal" | "metrics">, SteeringOptions {
  readonly metrics: PrometheusMetrics;
  readonly config: SteeringConfig;
  /** Files that another program renews; absent: a Secret of our own. */
  readonly files?: (() => ServingIdentity) | undefined;
  /** The Lease of the copy whose controllers run; absent: this is the only copy. */
  readonly lease?: { readonly namespace: string; readonly name: string } | undefined;
  readonly identity: string;
  /** The ConfigMap to which this copy writes, under a key of its own, what it observes; absent: as `observations` says. */
  readonly summariesIn?: { readonly at: ObjectName; readonly copy: string } | undefined;
  readonly timing?: ElectionTiming | undefined;
  /** Where health, metrics and decisions are served; 0: any free port. */
  readonly diagnosticsPort: number;
  readonly diagnosticsBind?: Omit<SecureServing, "authorize"> | undefined;
  readonly debug?: Diagnostics["debug"];
  /** Called once the webhook answers. */
  readonly onServing?:
    | ((urls: { readonly webhook: string; readonly diagnostics: string }) => void)
    | undefined;
}

/** Runs one copy of `trimtab steer` until the signal aborts: it answers at once, and its controllers run while it leads. */
export async function runSteering(options: RunSteeringOptions, signal: AbortSignal): Promise<void> {
  const { client, clock, random, log, metrics, config, lease } = options;
  const informers = new InformerFactory({ client, clock, random: random.fork("informers"), log });
  const failed = new AbortController();
  const stopping = AbortSignal.any([signal, failed.signal]);
  const environment = { client, clock, random, log, metrics, informers, signal: stopping };
  const certificates = certificatesFor(options);
  await certificates.load(stopping);

  const { summariesIn } = options;
  const summaries = new ObservationSummaries();
  const steering = createSteering(environment, {
    ...options,
    observations: summariesIn === undefined ? options.observations : summaries,
    spread: config.spread,
    machineCosts: config.machineCosts,
    mode: config.mode,
  });
  steering.metrics.certificateEnd.follow({}, () => certificateEnd(certificates.identity.certificate) / 1000);
  const webhooks = webhooksController({
    client,
    log,
    metrics: steering.metrics,
    config,
    identity: () => certificates.identity,
    mutating: informers.of(mutatingWebhookConfigurations),
    validating: informers.of(validatingWebhookConfigurations),
    replicaSets: informers.of(replicaSets),
    namespaces: informers.of(namespaces),
  });
  const status = { isServing: false };
  const diagnostics = await serveDiagnostics(
    {
      readiness: () => [{ name: "webhook", ok: status.isServing }],
      metrics: () => metrics.text(),
      debug: options.debug,
    },
    {
      port: options.diagnosticsPort,
      log,
      secure: options.diagnosticsBind && {
        ...options.diagnosticsBind,
        authorize: delegatedAuthorizer(options),
      },
    },
  );
  const run = (specs: readonly ControllerSpec[], until: AbortSignal) =>
    Promise.all(
      specs.map((spec) => runController(spec, { clock, log, metrics: workqueueMetrics(metrics) }, until)),
    );
  const serve = async () => {
    if (!(await informers.synced(stopping))) return;
    const server = await serveAdmission({
      handlers: steering.handlers,
      bind: config.bind,
      port: config.port,
      certificate: () => certificates.identity,
      timeoutMs: config.timeoutSeconds * 1000,
      log,
    });
    status.isServing = true;
    options.onServing?.({ webhook: server.url, diagnostics: diagnostics.url });
    try {
      // The API server is told about the webhook by a copy that answers.
      await lead(options, lease, {
        specs: [...steering.leading, webhooks],
        run,
        signal: stopping,
        status: steering.metrics.leading,
      });
      await ended(stopping);
    } finally {
      status.isServing = false;
      await server.close();
    }
  };
  const running = [
    informers.run(stopping),
    certificates.run(stopping),
    run(
      [
        ...steering.controllers,
        ...(summariesIn === undefined ? [] : [summariesController(summaries, summariesIn, { client })]),
      ],
      stopping,
    ),
    serve(),
  ];
  try {
    await Promise.all(running);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(running);
    throw error;
  } finally {
    await diagnostics.close();
  }
}

interface Leading {
  readonly specs: readonly ControllerSpec[];
  readonly run: (specs: readonly ControllerSpec[], until: AbortSignal) => Promise<unknown>;
  readonly signal: AbortSignal;
  readonly status: Gauge<"name">;
}

async function lead(
  options: RunSteeringOptions,
  lease: RunSteeringOptions["lease"],
  { specs, run, signal, status }: Leading,
): Promise<void> {
  if (lease === undefined) {
    await run(specs, signal);
    return;
  }
  const { client, clock, random, log, identity, timing } = options;
  const { name } = lease;
  status.set({ name }, 0);
  const onLeadingChanged = (isLeading: boolean) => status.set({ name }, Number(isLeading));
  const election = {
    client,
    clock,
    random: random.fork("election"),
    log,
    lease,
    identity,
    timing,
    onLeadingChanged,
  };
  await runLeaderElection(election, (leading) => run(specs, leading).then(() => undefined), signal);
}

interface Certificates {
  readonly identity: KeyPair & ServingIdentity;
  load(signal: AbortSignal): Promise<void>;
  run(signal: AbortSignal): Promise<void>;
}

function certificatesFor({ files, config, ...options }: RunSteeringOptions): Certificates {
  if (files !== undefined)
    return {
      get identity() {
        return files();
      },
      load: () => Promise.resolve(),
      run: () => Promise.resolve(),
    };
  const { certificate, namespace, name } = config;
  const secret =
    certificate.kind === "secret"
      ? { namespace: certificate.namespace, name: certificate.name }
      : { namespace, name };
  return new CertificateSecret({ ...options, secret, hosts: hostsOf(config) });
}

/** The names by which an API server calls the webhook. */
export function hostsOf({ address }: Pick<SteeringConfig, "address">): readonly string[] {
  if (address.kind === "url") return [new URL(address.url).hostname.replaceAll(/[[\]]/g, "")];
  const inCluster = `${address.name}.${address.namespace}.svc`;
  return [inCluster, `${inCluster}.cluster.local`, "localhost", "127.0.0.1"];
}

function ended(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
