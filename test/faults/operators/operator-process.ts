import { messageOf } from "../../../src/api/message-of.ts";
import {
  HttpsClient,
  kubeconfigPaths,
  loadKubeconfig,
  runComponents,
  seededRandom,
  silentLogger,
  silentMetrics,
  WallClock,
} from "../../../src/machinery/index.ts";
import { doubleCreation } from "./double-creation.ts";
import { ignoredConflict } from "./ignored-conflict.ts";
import { lostFinalizer } from "./lost-finalizer.ts";
import type { Operator } from "./operator.ts";

// A program for `trimtab faults run`: `operator-process.js NAME mistaken|corrected` runs an operator against the cluster of
// $KUBECONFIG, uses it, and ends with exit code 1 when it did something wrong.

const operators: ReadonlyMap<string, Operator> = new Map([
  ["double-creation", doubleCreation],
  ["lost-finalizer", lostFinalizer],
  ["ignored-conflict", ignoredConflict],
]);

/** What a mistaken operator does not do in this time it never does; a corrected one may be on a very busy machine. */
const limitsMs = { mistaken: 6000, corrected: 120_000 };
const pollMs = 20;

const [, , name = "", variant = ""] = process.argv;
const operator = operators.get(name);
const loaded = loadKubeconfig({ paths: kubeconfigPaths(process.env) });
if (operator === undefined || !loaded.ok || (variant !== "mistaken" && variant !== "corrected"))
  throw new Error("usage: operator-process.js NAME mistaken|corrected");
const { connection } = loaded;
const clock = new WallClock();
const clientOf = (userAgent: string) => new HttpsClient({ connection, clock, userAgent });
const [ofOperator, ofUser] = [clientOf("operator/1"), clientOf("user/1")];

async function until<T>(what: string, ask: () => Promise<T | undefined>): Promise<T> {
  const end = clock.now() + limitsMs[variant as keyof typeof limitsMs];
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (clock.now() > end) throw new Error(what);
    await clock.sleep(pollMs);
  }
}

const stopping = new AbortController();
const running = new Promise<void>((synced, failed) => {
  const environment = {
    client: ofOperator,
    clock,
    random: seededRandom(name),
    log: silentLogger,
    metrics: silentMetrics,
  };
  runComponents(
    [operator.component(variant === "mistaken")],
    { ...environment, synced: () => synced() },
    stopping.signal,
  ).catch(failed);
});
try {
  await running;
  await operator.scenario({ client: ofUser, until });
} catch (error) {
  console.error(messageOf(error));
  process.exitCode = 1;
}
stopping.abort(new Error("the scenario is over"));
await Promise.all([ofOperator.close(), ofUser.close()]);
