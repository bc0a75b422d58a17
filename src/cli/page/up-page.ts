import { formatMicroTime } from "../../api/time.ts";
import type { PickerAccess } from "../../cluster/network-pickers.ts";
import type { ClusterGates } from "../../cluster/cluster-options.ts";
import type { EmbeddedCluster } from "../../cluster/embedding/start-embedded-cluster.ts";
import { withFieldManager } from "../../machinery/client/intercept-client.ts";
import type { AdjustableClock } from "../../machinery/clock/adjustable-clock.ts";
import type { DebugAction } from "../../machinery/diagnostics/diagnostics.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import { type PageServer, startPageServer } from "../../page/page-server.ts";
import type { SchedulerConfig } from "../../scheduler/configuration/scheduler-config.ts";
import { packageVersion, pageFolder } from "../installed-package.ts";
import { embeddedFacts } from "./page-facts.ts";
import { pagePickers } from "./page-pickers.ts";

/** What the page of a cluster of `trimtab up` depends on. */
export interface UpPageSettings {
  readonly pagePort?: number;
  readonly context: string;
  readonly gates: ClusterGates;
  readonly schedulerConfig: SchedulerConfig;
  readonly pickers: PickerAccess;
}

/** Where administrators get a new link, besides the terminal of the cluster. */
export const pageLinkPath = "/debug/page/link";

/** Whether a link leads to a page on this machine. A cluster that is not ours could print a link to anywhere under our name. */
export function isLocalLink(link: unknown): link is string {
  if (typeof link !== "string" || !URL.canParse(link)) return false;
  const { protocol, hostname, username, password, href } = new URL(link);
  return (
    protocol === "http:" && hostname === "127.0.0.1" && username === "" && password === "" && href === link
  );
}

/** The page of a cluster, which is served once the cluster runs; there may be none. */
export class UpPage {
  #server: PageServer | undefined;

  /** Answers a POST to `pageLinkPath`. */
  readonly debugAction: DebugAction = async (path) => {
    const link = path === pageLinkPath ? this.newLink() : undefined;
    return link === undefined ? undefined : { link };
  };

  /** A link that opens the page once; `undefined` where there is no page. */
  newLink(): string | undefined {
    return this.#server?.newLink();
  }

  /** Where it is served, which needs a link. */
  get url(): string | undefined {
    return this.#server?.url;
  }

  /** Serves the page, unless the settings say that there is none. */
  async start(
    { server, clock, access }: EmbeddedCluster<AdjustableClock, true>,
    { pagePort, context, gates, schedulerConfig, pickers }: UpPageSettings,
    log: Logger,
  ): Promise<void> {
    if (pagePort === undefined) return;
    const facts = embeddedFacts({
      name: context,
      server: access.url,
      featureGates: (gates.components.replicaset ?? gates.controllers)(),
      schedulerConfig,
    });
    const client = withFieldManager(server.client, "trimtab-page");
    const pickerAccess = { ...pickers, version: packageVersion(), apiServer: () => access.url };
    this.#server = await startPageServer({
      port: pagePort,
      folder: pageFolder(),
      clock,
      log,
      open: server.open(`trimtab-page/${packageVersion()}`, { withoutManagedFields: true }),
      client,
      cluster: facts,
      askPickers: pagePickers({ client, clock, access: pickerAccess, cluster: facts }),
      time() {
        const { now, speed, isPaused } = clock.state;
        return { now: formatMicroTime(now), speed, paused: isPaused };
      },
    });
  }

  async close(): Promise<void> {
    await this.#server?.close();
  }
}
