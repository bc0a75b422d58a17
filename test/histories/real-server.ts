import { type ChildProcess, spawn } from "node:child_process";
import { once, setMaxListeners } from "node:events";
import { createInterface } from "node:readline";
import { HttpsClient } from "../../src/machinery/client/http/https-client.ts";
import type { Clock } from "../../src/machinery/clock/clock.ts";
import type { ServerRun } from "./clients.ts";
import { History } from "./history.ts";

/** The program of a server, compiled, and the data directory that its processes use one after the other. */
export interface RealMachineOptions {
  readonly program: string;
  readonly folder: string;
  readonly clock: Clock;
}

/** A process of its own, over HTTPS. */
export interface RealServer extends ServerRun {
  /** Ends it at once; the next process has begun to load meanwhile. */
  readonly kill: () => Promise<void>;
}

/** Starts servers over one data directory; while one serves, the next is loaded up to the point where it would open it. */
export class RealMachine {
  readonly #options: RealMachineOptions;
  #next: ChildProcess;

  constructor(options: RealMachineOptions) {
    this.#options = options;
    this.#next = this.#load();
  }

  async start(): Promise<RealServer> {
    const child = this.#next;
    const exited = once(child, "exit");
    child.stdin?.write("now\n");
    const [line] = (await Promise.race([
      once(createInterface({ input: child.stdout ?? process.stdin }), "line"),
      exited.then(([code]) => Promise.reject(new Error(`the server ended with ${String(code)}`))),
    ])) as [string];
    this.#next = this.#load();
    const { url, ca, token } = JSON.parse(line) as Record<"url" | "ca" | "token", string>;
    const client = new HttpsClient({
      connection: {
        server: url,
        namespace: "default",
        credential: { type: "token", token },
        tls: { ca, skipVerify: false },
      },
      clock: this.#options.clock,
    });
    const ending = new AbortController();
    setMaxListeners(0, ending.signal);
    return {
      client,
      ended: ending.signal,
      history: new History(),
      async kill() {
        child.kill("SIGKILL");
        ending.abort(new Error("the server was killed"));
        await exited;
        await client.close();
      },
    };
  }

  /** Ends the process that was loaded in advance. */
  async close(): Promise<void> {
    const exited = once(this.#next, "exit");
    this.#next.kill("SIGKILL");
    await exited;
  }

  #load(): ChildProcess {
    const { program, folder } = this.#options;
    return spawn(process.execPath, [program, folder, "later"], { stdio: ["pipe", "pipe", "inherit"] });
  }
}
