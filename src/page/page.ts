import type { Client } from "../machinery/client/client.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { ClusterFacts } from "./contract.ts";
import type { OneTimeLinks } from "./one-time-links.ts";
import type { Sessions } from "./sessions.ts";

/** The options of the page's server. */
export interface PageServerOptions {
  /** 0: any free port. */
  readonly port: number;
  /** The folder of the bundle. */
  readonly folder: string;
  /** The time of the cluster. */
  readonly clock: Clock;
  readonly log: Logger;
  /** How reads are forwarded to the API server, with the rights of the user that started this. */
  readonly open: OpenRequest;
  /** Performs actions, with the same rights. */
  readonly client: Client;
  /** What is known about the cluster without asking it. */
  readonly cluster: Omit<ClusterFacts, "version" | "time">;
  readonly time: () => ClusterFacts["time"];
  /** Absent: from the operating system. */
  readonly newSecret?: () => string;
}

/** What the handlers of the page's requests share. */
export interface Page extends PageServerOptions {
  readonly port: number;
  readonly links: OneTimeLinks;
  readonly sessions: Sessions;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}
