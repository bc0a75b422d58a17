import { messageOf } from "../../api/message-of.ts";
import { formatMicroTime } from "../../api/time.ts";
import { ApiError } from "../../machinery/client/api-error.ts";
import type { Connection } from "../../machinery/client/connection/connection.ts";
import type { HttpsClient } from "../../machinery/client/http/https-client.ts";
import { readOnlyClient } from "../../machinery/client/intercept-client.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { pinoLogger } from "../../machinery/log/pino-logger.ts";
import { startPageServer } from "../../page/page-server.ts";
import { type Command, reportErrors, type Terminal, untilInterrupted } from "../command.ts";
import { findInspectedCluster } from "../connection/inspected-cluster.ts";
import { otherFacts } from "../page/page-facts.ts";
import { pagePickers } from "../page/page-pickers.ts";
import { pageFolder } from "../installed-package.ts";
import { pageFlags, type PageSettings, readPageSettings } from "../page/page-settings.ts";
import { clientOf } from "../connection/run-on-cluster.ts";
import { isLocalLink, pageLinkPath } from "../page/up-page.ts";

export const page: Command = {
  name: "page",
  summary:
    "Open a page that shows a cluster: a new link to that of trimtab up, or a read-only page of any other.",
  flags: pageFlags,
  async run({ flags }, terminal) {
    const read = readPageSettings(flags);
    const found = findInspectedCluster(flags);
    const problems = [...(read.ok ? [] : read.problems), ...(found.ok ? [] : found.problems)];
    if (!read.ok || !found.ok) return reportErrors(terminal, page, problems);
    const clock = new WallClock();
    const client = await clientOf(found.connection, { command: page, clock });
    try {
      return await show({ client, connection: found.connection, clock }, read.settings, terminal);
    } catch (error) {
      return reportErrors(terminal, page, [messageOf(error)]); // the boundary of the command
    } finally {
      await client.close();
    }
  },
};

interface ShownCluster {
  readonly client: HttpsClient;
  readonly connection: Connection;
  readonly clock: WallClock;
}

async function show(cluster: ShownCluster, settings: PageSettings, terminal: Terminal): Promise<number> {
  const { client, connection } = cluster;
  const { interrupted: signal } = terminal;
  const asked = await isTrimtab(client, signal);
  if (!asked.ok) return reportErrors(terminal, page, [`${connection.server}: ${asked.problem}`]);
  // The page of the cluster itself lists everything: one namespace needs a page of its own.
  const hasOwnPage = asked.isOurs && settings.namespace === undefined;
  const link = hasOwnPage ? await askForLink(client, signal) : undefined;
  if (link === undefined) return serve(cluster, { ...settings, isOurs: asked.isOurs }, terminal);
  terminal.out(link);
  return 0;
}

type AskedForVersion =
  | { readonly ok: true; readonly isOurs: boolean }
  | { readonly ok: false; readonly problem: string };

/** Reports whether `trimtab up` runs this cluster, with or without a page; the user's permissions there may be narrow. */
async function isTrimtab(client: HttpsClient, signal: AbortSignal): Promise<AskedForVersion> {
  try {
    const { gitVersion } = await client.requestPath("GET", "/version", { signal });
    return { ok: true, isOurs: typeof gitVersion === "string" && gitVersion.includes("-trimtab.") };
  } catch (error) {
    if (error instanceof ApiError && error.code === 403) return { ok: true, isOurs: false };
    return { ok: false, problem: messageOf(error) };
  }
}

/** Asks the cluster for a new link to its own page on this machine; `undefined` if it serves none to this user. */
async function askForLink(client: HttpsClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const { link } = await client.requestPath("POST", pageLinkPath, { signal });
    return isLocalLink(link) ? link : undefined;
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** Serves a read-only page with the user's own permissions until the user interrupts it. */
async function serve(
  { client, connection: { server }, clock }: ShownCluster,
  { isOurs, ...settings }: PageSettings & { readonly isOurs: boolean },
  terminal: Terminal,
): Promise<number> {
  const { removalProfile, featureGates, schedulerConfig } = settings;
  const facts = otherFacts({ name: new URL(server).host, server, featureGates, schedulerConfig });
  const cluster = {
    ...facts,
    ...(isOurs && { records: ["decisions", "placements"] as const, removalProfile: "trimtab" as const }),
    ...(removalProfile !== undefined && { removalProfile }),
    ...(settings.namespace !== undefined && { namespace: settings.namespace }),
  };
  const reading = readOnlyClient(client);
  const access = { ...settings.pickers, apiServer: () => server };
  const pageServer = await startPageServer({
    port: settings.port,
    folder: pageFolder(),
    clock,
    log: pinoLogger({ level: settings.logLevel, clock }),
    open: (request, signal) => client.open(request, signal),
    client: reading,
    cluster,
    askPickers: pagePickers({ client: reading, clock, access, cluster }),
    time: () => ({ now: formatMicroTime(clock.now()), speed: 1, paused: false }),
  });
  try {
    terminal.out(
      [
        `To watch ${server} in a browser, open this link once:`,
        "",
        `  ${pageServer.newLink()}`,
        "",
        `It only reads, with your rights. ${terminal.onEnter === undefined ? "" : "Enter prints a new link, "}Ctrl-C ends it.`,
      ].join("\n"),
    );
    await untilInterrupted(terminal, () => pageServer.newLink());
    return 0;
  } finally {
    await pageServer.close();
  }
}
