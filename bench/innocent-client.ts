import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "undici";
import { percentile } from "./measure.ts";

/** The server that is asked. */
interface Target {
  readonly url: string;
  readonly ca: string;
  readonly token: string;
}

/** How long the answers of one phase took, in milliseconds. */
export interface Answers {
  readonly count: number;
  readonly p50: number;
  readonly p99: number;
  readonly longest: number;
}

/** A client that asks for a few ConfigMaps again and again, and wants nothing else. */
export interface InnocentClient {
  /** Returns the answers since the last call. */
  answers(): Promise<Answers>;
  stop(): Promise<void>;
}

type Question = { readonly kind: "start"; readonly target: Target } | { readonly kind: "answers" };

const self = fileURLToPath(import.meta.url);
const pauseMs = 5;
/** So often it connects anew, as programs do that start meanwhile. */
const requestsPerConnection = 20;

/** Starts the client in a process of its own: what it waits for is the server, never the bench. */
export function startInnocentClient({ url, ca, token }: Target): InnocentClient {
  const child = fork(self);
  child.send({ kind: "start", target: { url, ca, token } } satisfies Question);
  return {
    answers: () =>
      new Promise((resolve, reject) => {
        child.once("message", (answers: Answers) => resolve(answers));
        child.once("exit", (code) => reject(new Error(`the innocent client ended with ${code}`)));
        child.send({ kind: "answers" } satisfies Question);
      }),
    async stop() {
      const ended = once(child, "exit");
      child.kill();
      await ended;
    },
  };
}

/** Asks until the process ends. */
async function ask({ url, ca, token }: Target, latencies: number[]): Promise<never> {
  const headers = { authorization: `Bearer ${token}` };
  for (;;) {
    const client = new Client(url, { connect: { ca } });
    for (let count = 0; count < requestsPerConnection; count++) {
      const start = performance.now();
      const answer = await client.request({
        path: "/api/v1/namespaces/default/configmaps",
        method: "GET",
        headers,
      });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered with ${answer.statusCode}`);
      latencies.push(performance.now() - start);
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    await client.close();
  }
}

if (process.argv[1] === self) {
  const latencies: number[] = [];
  process.on("disconnect", () => process.exit());
  process.on("message", (question: Question) => {
    if (question.kind === "start") void ask(question.target, latencies);
    else {
      const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(latencies, share));
      process.send?.({ count: latencies.length, p50, p99, longest });
      latencies.length = 0;
    }
  });
}
