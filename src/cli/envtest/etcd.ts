// The program `etcd` of the folder that `trimtab envtest` writes: it answers health checks. The API server keeps its
// objects itself.
import { createServer, type RequestListener } from "node:http";
import { messageOf } from "../../api/message-of.ts";
import { visibleText } from "../../api/visible-text.ts";
import { makeFolder } from "../../cluster/make-folder.ts";
import { WallClock } from "../../machinery/clock/wall-clock.ts";
import { bindServer, closeServer } from "../../machinery/https-server/bind-server.ts";
import {
  type GivenFlags,
  commaSeparated,
  type KnownFlags,
  lastOf,
  readCommandLine,
} from "./command-line-flags.ts";
import { stopSignal } from "./stop-signal.ts";

const answers: ReadonlyMap<string | undefined, string> = new Map([
  ["/health", '{"health":"true","reason":""}'],
  ["/version", '{"etcdserver":"3.6.0","etcdcluster":"3.6.0"}'],
]);

const etcdFlags: KnownFlags = {
  switches: new Set(["unsafe-no-fsync"]),
  valued: new Set(["advertise-client-urls", "data-dir", "listen-client-urls", "listen-peer-urls"]),
};

const answer: RequestListener = ({ url }, response) => {
  const body = answers.get(url);
  response.writeHead(body === undefined ? 404 : 200, { "Content-Type": "application/json" });
  response.end(body ?? '{"error":"this is not an etcd: it only answers health checks"}');
};

/** Resolves to the exit code. */
async function main(words: readonly string[]): Promise<number> {
  const stopping = stopSignal(new WallClock());
  const read = readCommandLine(words, etcdFlags);
  if (!read.ok) return failed(read.problem);
  const [stray] = read.words;
  if (stray !== undefined) return failed(`${JSON.stringify(stray)} is not a valid flag`);
  try {
    const folder = lastOf(read.flags, "data-dir");
    if (folder !== "") makeFolder(folder); // suites look for it
    const servers = await Promise.all(addressesIn(read.flags).map(listen));
    if (!stopping.aborted)
      await new Promise((resolve) => stopping.addEventListener("abort", resolve, { once: true }));
    await Promise.all(servers.map(closeServer));
    return 0;
  } catch (error) {
    return failed(messageOf(error)); // the boundary of the program
  }
}

function addressesIn(flags: GivenFlags): readonly URL[] {
  const given = commaSeparated(flags, "listen-client-urls");
  const urls = (given.length > 0 ? given : ["http://localhost:2379"]).map((text) => parsed(text));
  const secured = urls.find(({ protocol }) => protocol !== "http:");
  if (secured !== undefined)
    throw new Error(`--listen-client-urls ${secured.href}: only http is supported here`);
  return urls;
}

function parsed(text: string): URL {
  try {
    return new URL(text);
  } catch (error) {
    throw new Error(`--listen-client-urls ${text}: is not a URL`, { cause: error });
  }
}

async function listen({ hostname, port }: URL) {
  const server = createServer(answer);
  await bindServer(server, hostname.replace(/^\[(.*)\]$/, "$1"), Number(port || "80"));
  return server;
}

/** Says why in one sentence. */
function failed(problem: string): number {
  console.error(visibleText(`Error: ${problem}`));
  return 1;
}

process.exit(await main(process.argv.slice(2)));
