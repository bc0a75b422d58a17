import { expectManyListeners } from "../../../machinery/abort/many-listeners.ts";
import type { Pod } from "../../../api/generated/core-v1.ts";
import { ConcurrencyLimiter } from "../../concurrency-limiter.ts";
import { requestText } from "../bounded-request.ts";
import type { PodEndpoint } from "../configuration/score-schemas.ts";
import { readCredentials } from "../credential-files.ts";
import { endpointOf, type PodEndpointRules } from "../pod-endpoints.ts";
import type { WorkloadPods } from "../workload-pods.ts";
import { type PodNumber, type ReadSource, readingOf, type SourceQuestion, unreadable } from "./source.ts";

/** What Pods answer to, and what is read of it. */
export interface PodQuestion {
  readonly endpoint: PodEndpoint;
  readonly path: string;
  readonly accept: string;
  readonly read: (text: string) => PodNumber;
}

export interface AskPodsDependencies extends PodEndpointRules {
  readonly pods: WorkloadPods;
}

/** The largest answer of a Pod: the metrics of some large programs have a megabyte. */
const maxBytes = 4 * 1024 * 1024;
/** How many Pods of a source are asked at a time. */
const concurrency = 64;

/** Asks each Pod of a question; those that have not answered in time have no number. */
export function podSource(question: PodQuestion, dependencies: AskPodsDependencies): ReadSource {
  const limiter = new ConcurrencyLimiter({ total: concurrency, perKey: 2 });
  return async (asked) => {
    const credentials = readCredentials(question.endpoint);
    if (!credentials.ok) return unreadable(asked, credentials.failure);
    const found = dependencies.pods.find(asked);
    const { signal } = asked;
    expectManyListeners(signal); // hundreds of Pods with one signal are no leak: each request removes its listener
    const ask = async (name: string): Promise<PodNumber> => {
      const pod = found.get(name);
      if (pod === undefined) return { class: "PodUnknown" };
      const release = await limiter.acquire(pod.metadata.uid, signal);
      if (release === undefined) return { class: "Timeout" };
      try {
        return await askPod(pod, { ...question, ...dependencies, ...credentials, signal });
      } finally {
        release();
      }
    };
    return readingOf(await Promise.all(asked.pods.map(async (name) => [name, await ask(name)] as const)));
  };
}

type Asking = PodQuestion &
  PodEndpointRules &
  Pick<Extract<ReturnType<typeof readCredentials>, { ok: true }>, "headers" | "tls"> &
  Pick<SourceQuestion, "signal">;

async function askPod(pod: Pod, asking: Asking): Promise<PodNumber> {
  const { endpoint, path, accept, read, headers, tls, signal } = asking;
  const dial = await endpointOf(pod, endpoint.port, asking);
  if (!("address" in dial)) return dial;
  const host = dial.address.includes(":") ? `[${dial.address}]` : dial.address;
  const url = new URL(path, `${endpoint.scheme ?? "http"}://${host}:${dial.port}`);
  const answer = await requestText({ url, dial, tls, headers: { accept, ...headers }, maxBytes, signal });
  return answer.ok ? read(answer.text) : answer.failure;
}
