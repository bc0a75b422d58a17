import type { Server as HttpServer } from "node:http";
import { isThisMachine } from "../addresses/address-policy.ts";
import type { Clock } from "../../machinery/clock/clock.ts";
import type { Logger } from "../../machinery/log/logger.ts";
import type { Answering } from "./answer-questions.ts";
import type { Caller } from "./authenticate.ts";
import { loadOptional, MissingPackageError } from "../../machinery/optional-package.ts";
import { grpcPackage } from "../transport/grpc-package.ts";
import type { GrpcEndpoint } from "./grpc-endpoint.ts";
import { type PortOptions, type ServedPort, servePort } from "./serve-port.ts";
import { followTls, readTls, type ServingTls } from "./serving-tls.ts";

/** Where a picker listens: one port for HTTP and gRPC, or one for each of them. 0 is any free port. */
export type ListenOptions = (
  | { readonly port: number; readonly httpPort?: never; readonly grpcPort?: never }
  | { readonly httpPort: number; readonly grpcPort?: number; readonly port?: never }
  | { readonly grpcPort: number; readonly httpPort?: number; readonly port?: never }
) & {
  /** The address to listen on; default: all of them. */
  readonly host?: string;
  /** Serves over TLS; with a CA for client certificates callers need one that it signed. */
  readonly tls?: ServingTls;
};

/** A picker that listens. */
export interface Listening {
  /** The URL of questions over HTTP; absent if it is not served. */
  readonly url?: string;
  /** The URL of the gRPC server; absent if it is not served. */
  readonly grpcUrl?: string;
}

/** A listening picker, with what `stop` needs. */
export interface ServedPicker extends Listening {
  /** Accepts no more connections. */
  close(): void;
  /** Ends the connections that are left: at once if they are idle, and within the grace period in any case. */
  end(graceMs: number): Promise<void>;
}

export interface ListenDependencies {
  readonly answering: Answering;
  readonly isTrusted: (caller: Caller) => boolean;
  readonly clock: Clock;
  readonly log: Logger;
  readonly http: HttpServer;
  readonly path: string;
}

const optionNames: ReadonlySet<string> = new Set(["port", "httpPort", "grpcPort", "host", "tls"]);

/** What is wrong with the place to listen at, one sentence each. */
export function listenProblems(options: ListenOptions): readonly string[] {
  const { port, httpPort, grpcPort, tls } = options;
  const ports = Object.entries({ port, httpPort, grpcPort }).filter(([, value]) => value !== undefined);
  const wrong = ports.filter(([, value]) => !isPort(value));
  const unknown = Object.keys(options).filter((name) => !optionNames.has(name));
  const read = tls === undefined ? undefined : readTls(tls);
  return [
    ...unknown.map((name) => `there is no option ${name}: there are ${[...optionNames].join(", ")}`),
    ...(ports.length === 0 ? ["one of port, httpPort and grpcPort is required"] : []),
    ...(port !== undefined && ports.length > 1 ? ["port excludes httpPort and grpcPort"] : []),
    ...wrong.map(([name]) => `${name} must be a whole number from 0 to 65535`),
    ...(httpPort !== undefined && httpPort !== 0 && httpPort === grpcPort
      ? ["for both protocols on one port there is port"]
      : []),
    ...(read?.ok === false ? [read.problem] : []),
  ];
}

function isPort(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535;
}

/** Listens as the options say; rejects with a sentence if a port cannot be had. */
export async function listenOn(
  options: ListenOptions,
  dependencies: ListenDependencies,
  needsToken: boolean,
): Promise<ServedPicker> {
  const { http, clock, log } = dependencies;
  const { host } = options;
  const tls = options.tls === undefined ? undefined : tlsOf(options.tls, dependencies);
  const grpc =
    options.httpPort === undefined || options.grpcPort !== undefined
      ? await loadGrpc(options, dependencies)
      : undefined;
  const served = await servePorts(
    // Every port follows the files of TLS by itself: a renewal is reported once to each.
    portsOf(options, { http, grpc }).map((each) => ({ ...each, host, tls: tls?.() })),
  );
  const urls = urlsOf(served, options, dependencies.path);
  log.info("picker listens", { ...urls });
  if (!needsToken && served.every((each) => each.tls?.context.ca === undefined) && !isThisMachine(host ?? ""))
    log.warn(
      "picker answers every caller that reaches it: set token, or tls with a CA for client certificates",
    );
  const closing: Promise<void>[] = [];
  return {
    ...urls,
    close: () => closing.push(...served.map((each) => each.close())),
    async end(graceMs) {
      const timer = clock.after(graceMs, () => served.forEach((each) => each.destroy()));
      http.close();
      await grpc?.stop(graceMs);
      for (const each of served) each.finish();
      await Promise.all(closing);
      timer.cancel();
    },
  };
}

interface Protocols {
  readonly http?: HttpServer | undefined;
  readonly grpc?: GrpcEndpoint | undefined;
}

/** The ports, and what each of them serves. */
function portsOf(
  { port, httpPort, grpcPort }: ListenOptions,
  { http, grpc }: Protocols,
): readonly (Protocols & { readonly port: number })[] {
  if (port !== undefined) return [{ port, http, grpc }];
  return [
    ...(httpPort === undefined ? [] : [{ port: httpPort, http }]),
    ...(grpcPort === undefined ? [] : [{ port: grpcPort, grpc }]),
  ];
}

function urlsOf(
  served: readonly (Protocols & { readonly port: number })[],
  { host = "localhost", tls }: ListenOptions,
  path: string,
): Listening {
  const name = host.includes(":") ? `[${host}]` : host;
  const secure = tls === undefined ? "" : "s";
  const http = served.find((each) => each.http !== undefined);
  const grpc = served.find((each) => each.grpc !== undefined);
  return {
    ...(http !== undefined && { url: `http${secure}://${name}:${http.port}${path}` }),
    ...(grpc !== undefined && { grpcUrl: `grpc${secure}://${name}:${grpc.port}` }),
  };
}

function tlsOf(serving: ServingTls, dependencies: ListenDependencies) {
  const read = readTls(serving);
  if (!read.ok) throw new Error(read.problem);
  const { context } = read;
  return () => ({ context, renewed: followTls(serving, context, dependencies) });
}

/** gRPC is loaded by pickers that serve it; on a port for both protocols HTTP is served without its package, and a warning says so. */
async function loadGrpc(
  { port }: ListenOptions,
  dependencies: ListenDependencies,
): Promise<GrpcEndpoint | undefined> {
  try {
    const needed = { ...grpcPackage, neededBy: "serving a picker over gRPC" };
    const { grpcEndpoint } = await loadOptional(needed, () => import("./grpc-endpoint.ts"));
    return grpcEndpoint(dependencies);
  } catch (error) {
    if (port === undefined || !(error instanceof MissingPackageError)) throw error;
    dependencies.log.warn("picker answers over HTTP only", { reason: error.message });
    return undefined;
  }
}

/** Binds every port, or none. */
async function servePorts(all: readonly PortOptions[]): Promise<readonly (PortOptions & ServedPort)[]> {
  const served: (PortOptions & ServedPort)[] = [];
  try {
    for (const each of all) served.push({ ...each, ...(await servePort(each)) });
    return served;
  } catch (error) {
    for (const each of served) void each.close();
    throw error;
  }
}
