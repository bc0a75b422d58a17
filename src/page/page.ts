import type { Client } from "../machinery/client/client.ts";
import type { OpenRequest } from "../machinery/client/http/transport.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { ClusterFacts, PickerAnswers, PickerQuestion } from "./contract.ts";
import type { OneTimeLinks } from "./one-time-links.ts";
import type { Sessions } from "./sessions.ts";

/** What came of asking pickers. */
export type AskedPickers =
  | { readonly ok: true; readonly answers: PickerAnswers }
  | { readonly ok: false; readonly problem: string };

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
  readonly cluster: Omit<ClusterFacts, "version" | "time" | "asksPickers">;
  readonly time: () => ClusterFacts["time"];
  /** Asks the pickers of a workload what a scale would ask them; absent: the page asks none. */
  readonly askPickers?: (question: PickerQuestion, signal: AbortSignal) => Promise<AskedPickers>;
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
