import { createServer, type Server, type ServerOptions } from "node:https";
import type { AddressInfo } from "node:net";
import type { Instant } from "../../../api/time.ts";
import type { Random } from "../../../machinery/random/random.ts";
import { type CertificateAuthority, issueCertificate } from "../../../machinery/certificates/certificate.ts";
import { firstAddress } from "../registry/services/service-network.ts";
import type { HttpDependencies } from "./http-dependencies.ts";
import { requestListener } from "./request-listener.ts";

/** Where to answer, and with what to prove who we are. */
export interface ListenOptions {
  /** Loopback, of both kinds where the machine has them, unless said otherwise. */
  readonly host?: string | undefined;
  /** Names and addresses besides the usual ones under which clients reach us. */
  readonly names?: readonly string[] | undefined;
  /** 0: any that is free. */
  readonly port: number;
  readonly authority: CertificateAuthority;
  readonly now: Instant;
  readonly random: Random;
}

/** A server that answers. */
export interface Listening {
  readonly port: number;
  readonly url: string;
  /** Ends every connection; resolves when the port is free again. */
  close(): Promise<void>;
}

const loopback = "127.0.0.1";
const loopback6 = "::1";
const ownNames = [
  "localhost",
  loopback,
  loopback6,
  "kubernetes",
  "kubernetes.default",
  "kubernetes.default.svc",
  "kubernetes.default.svc.cluster.local",
  firstAddress,
];

// Go keeps idle connections for 90 s; a server that closes them sooner makes its next request fail.
const keepAliveMs = 125_000;

/** Begins to answer over TLS; throws one sentence when the port cannot be had. */
export async function listen(
  edgeAt: (address: string, names: readonly string[]) => HttpDependencies,
  { host = loopback, names = [], port: wanted, authority, now, random }: ListenOptions,
): Promise<Listening> {
  const { certificate, key } = issueCertificate(authority, {
    subject: { commonName: "trimtab" },
    use: "server",
    hosts: [...new Set([...ownNames, ...names, host])],
    now,
    random,
  });
  const newServer = () => tlsServer({ cert: certificate, key, ca: authority.certificate });
  const server = newServer();
  await bound(server, host, wanted);
  const { port } = server.address() as AddressInfo;
  const address = `${host.includes(":") ? `[${host}]` : host}:${port}`;
  const answer = requestListener(edgeAt(address, [host, ...names]));
  server.on("request", answer); // at once: the port is open already
  const servers = [server];
  try {
    const second = newServer().on("request", answer);
    if (host === loopback && (await isBoundToo(second, { port, isAnyPort: wanted === 0 })))
      servers.push(second);
  } catch (error) {
    await closed(server);
    throw error;
  }
  return {
    port,
    url: `https://${address}`,
    close: async () => {
      await Promise.all(servers.map(closed));
    },
  };
}

function tlsServer(identity: Pick<ServerOptions, "cert" | "key" | "ca">): Server {
  const server = createServer({
    ...identity,
    requestCert: true,
    rejectUnauthorized: false, // a token will do instead; who has neither is told so
    minVersion: "TLSv1.2",
    ALPNProtocols: ["http/1.1"],
    maxHeaderSize: 65_536,
    keepAliveTimeout: keepAliveMs,
    headersTimeout: keepAliveMs + 5000,
    requestTimeout: 300_000,
    noDelay: true,
    // Finds out about clients that vanished without a word, such as watchers on a laptop that was closed.
    keepAlive: true,
    keepAliveInitialDelay: 60_000,
  });
  server.timeout = 0;
  return server;
}

/** What a machine says that has no second kind of loopback. */
const absences: ReadonlySet<string | undefined> = new Set(["EADDRNOTAVAIL", "EAFNOSUPPORT"]);

/**
 * The second kind of loopback is for those who say `localhost`; a machine may not have it, and nobody misses it then.
 * Where it is another program's, a port that somebody chose would lead some of them there.
 */
async function isBoundToo(
  server: Server,
  { port, isAnyPort }: { readonly port: number; readonly isAnyPort: boolean },
): Promise<boolean> {
  try {
    await bound(server, loopback6, port);
    return true;
  } catch (error) {
    const { code } = (error as Error).cause as NodeJS.ErrnoException;
    if (isAnyPort || absences.has(code)) return false;
    throw error;
  }
}

function bound(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const why = error.code === "EADDRINUSE" ? "it is in use" : error.message;
      reject(new Error(`cannot listen on port ${port} of ${host}: ${why}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
