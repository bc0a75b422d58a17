import { InformerFactory } from "../informer/informer-factory.ts";
import type { Component, ComponentEnvironment } from "./component.ts";

export interface RunComponentsOptions extends Omit<ComponentEnvironment, "informers" | "signal"> {
  /** Called when every informer has listed its collection. */
  readonly synced?: ((informers: InformerFactory) => void) | undefined;
}

/**
 * Runs components with informers of their own, against the API server the client reaches, until the signal aborts and
 * all have stopped. A component that fails stops the others; its error is thrown once they have stopped too.
 */
export async function runComponents(
  components: readonly Component[],
  options: RunComponentsOptions,
  signal: AbortSignal,
): Promise<void> {
  const { client, clock, random, log, metrics, intercept, synced } = options;
  const informers = new InformerFactory({ client, clock, random: random.fork("informers"), log });
  const failed = new AbortController();
  const stopping = AbortSignal.any([signal, failed.signal]);
  const environment: ComponentEnvironment = {
    client,
    clock,
    random,
    log,
    metrics,
    informers,
    signal: stopping,
    intercept,
  };
  const running: Promise<unknown>[] = [];
  try {
    for (const component of components) running.push(component.start(environment));
    running.push(informers.run(stopping));
    running.push(informers.synced(stopping).then((isSynced) => void (isSynced && synced?.(informers))));
    await Promise.all(running);
  } catch (error) {
    failed.abort(error);
    await Promise.allSettled(running);
    throw error;
  }
}
