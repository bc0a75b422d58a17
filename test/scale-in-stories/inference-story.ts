import { type Random, seededRandom } from "../../src/machinery/random/random.ts";
import type { Client } from "../../src/machinery/client/client.ts";
import { deployments } from "../../src/api/resources.ts";
import { isTerminal } from "../../src/api/pod-state.ts";
import { type Mode, startStory } from "./story-cluster.ts";

/** What scale-in cost those who talk to a model. */
export interface InferenceResult {
  /** Requests that were cut: their server went while it generated. */
  readonly requestsCut: number;
  /** Conversations whose prefix was in the cache of a server that went: their next request computes it again. */
  readonly cacheHitsLost: number;
  /** The most Pods that had or wanted a GPU at a time, while a new version was rolled out. */
  readonly mostGpus: number;
  readonly podHours: number;
}

const gpus = 14;
const stepMs = 10_000;
const minutes = 120;

/** A conversation stays with the server that has its prefix. */
interface Conversation {
  server: string;
  leftSteps: number;
  /** Steps until its present request is answered; 0: it thinks. */
  generating: number;
}

/** The demand falls twice; sizes follow it, and a new version of the model is rolled out at the first peak. */
export async function playInference(mode: Mode, seed: number): Promise<InferenceResult> {
  const random = seededRandom(`inference ${seed}`);
  let talks: Conversation[] = [];
  const runningOn = (name: string) =>
    talks.filter(({ server, generating }) => server === name && generating > 0).length;
  const cachedOn = (name: string) => talks.filter(({ server }) => server === name).length;
  const work = {
    isBusy: (name: string) => runningOn(name) > 0,
    // A request that is cut is worth ten prefixes.
    score: (name: string) => runningOn(name) * 10 + cachedOn(name),
  };
  const story = await startStory({ mode, seed, nodes: gpus, replicas: 4, work, countsTerminating: true });
  const { client, clock } = story.cluster;
  const result = { requestsCut: 0, cacheHitsLost: 0, mostGpus: 0, podHours: 0 };
  let size = 4;
  for (let step = 0; step < (minutes * 60_000) / stepMs; step++) {
    const minute = (step * stepMs) / 60_000;
    const isRollingOut = minute >= 20 && minute < 35;
    const present = (await story.all()).filter((pod) => !isTerminal(pod)).length;
    result.podHours += (present * stepMs) / 3_600_000;
    if (isRollingOut) result.mostGpus = Math.max(result.mostGpus, present);
    const names = (await story.ready()).map(({ metadata }) => metadata.name).toSorted();
    const moved = moveAway(talks, names, cachedOn);
    // A rollout replaces all servers: that is not scale-in.
    if (!isRollingOut) {
      result.cacheHitsLost += moved.length;
      result.requestsCut += moved.filter(({ wasGenerating }) => wasGenerating).length;
    }
    talks = talks.filter((talk) => goOn(talk, random));
    begin(talks, { names, wanted: demandAt(minute) * 12, random });
    if (step % 6 === 0) await story.writeCosts();
    if (minute === 20) await rollOut(client);
    if (step % 12 === 0 && demandAt(minute) !== size) await story.scale((size = demandAt(minute)));
    await clock.advance(stepMs);
  }
  await story.cluster.stop();
  return result;
}

/** Gives the conversations of servers that are gone to others. */
function moveAway(
  talks: readonly Conversation[],
  names: readonly string[],
  cachedOn: (name: string) => number,
): readonly { readonly wasGenerating: boolean }[] {
  const present = new Set(names);
  return talks
    .filter(({ server }) => !present.has(server))
    .map((talk) => {
      const wasGenerating = talk.generating > 0;
      Object.assign(talk, { server: leastLoaded(names, cachedOn), generating: 0 });
      return { wasGenerating };
    });
}

interface Beginning {
  readonly names: readonly string[];
  readonly wanted: number;
  readonly random: Random;
}

/** New conversations come as long as there are fewer than wanted, to some servers more than to others. */
function begin(talks: Conversation[], { names, wanted, random }: Beginning): void {
  while (names.length > 0 && talks.length < wanted && random.next() < 0.9)
    talks.push({
      server: names[Math.floor(random.next() ** 2 * names.length)] ?? "",
      leftSteps: 6 + Math.floor(random.next() * 60),
      generating: 0,
    });
}

async function rollOut(client: Client): Promise<void> {
  const template = { spec: { containers: [{ name: "worker", image: "worker:2" }] } };
  const body = { spec: { template } };
  await client.patch(deployments, { namespace: "default", name: "worker" }, { type: "strategic", body });
}

/** How many servers the demand is worth: ten by day, four between. */
function demandAt(minute: number): number {
  if (minute < 10) return 4;
  if (minute < 45) return 10;
  if (minute < 70) return 4;
  return minute < 100 ? 9 : 3;
}

function leastLoaded(names: readonly string[], loadOf: (name: string) => number): string {
  return names.toSorted((a, b) => loadOf(a) - loadOf(b))[0] ?? "";
}

/** A conversation asks now and then, for half a minute on average, until it ends. */
function goOn(talk: Conversation, random: Random): boolean {
  talk.leftSteps -= 1;
  if (talk.generating > 0) talk.generating -= 1;
  else if (random.next() < 0.04) talk.generating = 1 + Math.floor(random.next() * 5);
  return talk.leftSteps > 0 || talk.generating > 0;
}
