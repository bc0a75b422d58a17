import { runController } from "../machinery/controller.ts";
import { InformerFactory } from "../machinery/informer/informer-factory.ts";
import { workqueueMetrics } from "../machinery/metrics/workqueue-metrics.ts";
import { type WorkloadDependencies, workloadControllers } from "./workload-controllers.ts";

/** Controllers that run by themselves, against whatever API server their client reaches. */
export interface RunControllersOptions extends Omit<WorkloadDependencies, "informers" | "ending"> {
  /** Hears when everything they look at has been seen whole. */
  readonly synced?: ((informers: InformerFactory) => void) | undefined;
}

/**
 * Runs the workload controllers, with informers of their own, until the signal aborts and all have come home. A part
 * that fails takes the others along; what it threw is thrown once they are home too.
 */
export async function runControllers(options: RunControllersOptions, signal: AbortSignal): Promise<void> {
  const { clock, log, metrics } = options;
  const informers = new InformerFactory({ ...options, random: options.random.fork("informers") });
  const failed = new AbortController();
  const ending = AbortSignal.any([signal, failed.signal]);
  const specs = workloadControllers.map(({ create }) => create({ ...options, informers, ending }));
  const queues = workqueueMetrics(metrics);
  const parts = [
    informers.run(ending),
    ...specs.map((spec) => runController(spec, { clock, log, metrics: queues }, ending)),
    informers.synced(ending).then((seen) => (seen ? options.synced?.(informers) : undefined)),
  ];
  try {
    await Promise.all(parts);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(parts);
    throw error;
  }
}
