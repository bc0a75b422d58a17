import type { Clock } from "../../../machinery/clock/clock.ts";
import type { ListedResource } from "../discovery/listed-resource.ts";
import type { AggregatedApi } from "./aggregated-api.ts";
import { askAsAggregator, jsonOf } from "./ask-extension.ts";
import type { ExtensionTransport } from "./extension-transport.ts";
import { listedByExtension } from "./listed-by-extension.ts";

/** The resources that an extension API server lists, or why it does not answer. */
export type Probe =
  | { readonly ok: true; readonly resources: readonly ListedResource[] }
  | { readonly ok: false; readonly why: string };

/** How many requests are sent at once: one success suffices, so that a single failing endpoint is not noticed. */
const attempts = 5;
const timeoutMs = 5000;

/** Asks an extension API server for its resources; never rejects. */
export async function probeExtension(
  { transport, clock }: { readonly transport: ExtensionTransport; readonly clock: Clock },
  api: AggregatedApi,
): Promise<Probe> {
  const deadline = new AbortController();
  const timer = clock.after(timeoutMs, () => deadline.abort());
  const probes = Array.from({ length: attempts }, async () => askOnce(transport, api, deadline.signal));
  try {
    return await firstSuccess(probes);
  } finally {
    timer.cancel();
    deadline.abort(); // the others are not needed
  }
}

/** Resolves with the first probe that succeeds, otherwise with the first that failed. */
async function firstSuccess(probes: readonly Promise<Probe>[]): Promise<Probe> {
  const succeeded = probes.map(async (probe) => {
    const result = await probe;
    if (!result.ok) throw new Error(result.why);
    return result;
  });
  try {
    return await Promise.any(succeeded);
  } catch {
    // All have failed.
    return (await Promise.all(probes))[0] ?? { ok: false, why: "not asked" };
  }
}

async function askOnce(
  transport: ExtensionTransport,
  api: AggregatedApi,
  signal: AbortSignal,
): Promise<Probe> {
  const { group, version, server } = api;
  const path = `/apis/${group}/${version}`;
  const { name, namespace, port } = server.service;
  const url = `https://${name}.${namespace}.svc:${port}${path}`;
  const failed = (why: string) => ({
    ok: false as const,
    why: `failing or missing response from ${url}: ${why}`,
  });
  const reply = await askAsAggregator(transport, api, { path, signal });
  if (!reply.ok) return failed(`Get "${url}": ${signal.aborted ? "context deadline exceeded" : reply.why}`);
  if (reply.code < 200 || reply.code > 299) {
    reply.body.destroy();
    return failed(`bad status from ${url}: ${reply.code}`);
  }
  const document = await jsonOf(reply);
  if (!document.ok) return failed(document.why);
  // A server that answers without a list is available, as upstream sees it, and has nothing to discover.
  return { ok: true, resources: listedByExtension({ group, version }, document.value) ?? [] };
}
