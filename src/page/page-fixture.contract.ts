import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { defaultFeatureGates } from "../api/feature-gates.ts";
import type { JsonObject } from "../api/json.ts";
import { formatMicroTime } from "../api/time.ts";
import { startTestApiServer, type TestApiServer } from "../cluster/apiserver/api-server-fixture.contract.ts";
import type { ApiServerOptions } from "../cluster/apiserver/create-api-server.ts";
import { collectingLogger, type CollectingLogger } from "../testing/collecting-logger.ts";
import { startPageServer } from "./page-server.ts";
import type { PageServerOptions } from "./page.ts";

export interface PageCall {
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
}

export interface PageAnswer {
  readonly code: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly json: JsonObject;
}

/** The page of an API server in this process, and a client that behaves as badly as it is told. */
export interface TestPage {
  readonly api: TestApiServer;
  readonly log: CollectingLogger;
  readonly url: string;
  readonly port: number;
  readonly newLink: () => string;
  /** The `Cookie` header of a browser that has opened a link. */
  readonly openSession: () => Promise<string>;
  /** Sends `GET /path`, with nothing but the headers that are given and the right Host. */
  readonly call: (what: string, call?: PageCall) => Promise<PageAnswer>;
  /** The same; resolves before the body of the response is read. */
  readonly open: (what: string, call?: PageCall) => Promise<IncomingMessage>;
  /** A connection on which nothing was said yet. */
  readonly connect: () => Promise<Socket>;
  readonly close: () => Promise<void>;
}

export type TestPageOptions = Partial<Omit<PageServerOptions, "cluster">> & {
  readonly cluster?: Partial<PageServerOptions["cluster"]>;
  readonly apiServer?: Partial<ApiServerOptions>;
};

/** Serves a page whose bundle is a line of text; time is virtual, and everything is closed after the test. */
export async function startTestPage({
  cluster,
  apiServer,
  ...options
}: TestPageOptions = {}): Promise<TestPage> {
  const api = await startTestApiServer(apiServer);
  const log = collectingLogger();
  const server = await startPageServer({
    port: 0,
    folder: bundleFolder(),
    clock: api.clock,
    log,
    open: api.server.open("trimtab-page/test"),
    client: api.server.client,
    cluster: { ...embedded, ...cluster },
    time: () => ({ now: formatMicroTime(api.clock.now()), speed: 1, paused: false }),
    ...options,
  });
  const agent = new Agent({ keepAlive: false });
  onTestFinished(async () => {
    agent.destroy();
    await server.close();
  });
  const port = Number(new URL(server.url).port);

  const open = (what: string, { headers = {}, body }: PageCall = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const [method = "GET", ...rest] = what.split(" ");
      const host = `127.0.0.1:${port}`;
      const target = { host: "127.0.0.1", port, method, path: rest.join(" "), agent };
      const request = httpRequest({ ...target, headers: { host, ...headers } }, resolve);
      request.on("error", reject);
      request.end(body);
    });
  const call = async (what: string, options?: PageCall): Promise<PageAnswer> => {
    const answer = await open(what, options);
    const body = await text(answer);
    const isJson = body !== "" && answer.headers["content-type"] === "application/json";
    const json = isJson ? (JSON.parse(body) as JsonObject) : {};
    return { code: answer.statusCode ?? 0, headers: answer.headers, text: body, json };
  };
  return {
    api,
    log,
    url: server.url,
    port,
    newLink: server.newLink,
    async openSession() {
      const { headers } = await call(`GET ${targetOf(server.newLink())}`);
      return (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? "";
    },
    call,
    open,
    async connect() {
      const socket = connect(port, "127.0.0.1");
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined); // being cut off is what these tests are about
      await once(socket, "connect");
      return socket;
    },
    close: server.close,
  };
}

/** A page, and a browser that has opened it. */
export async function withSession(options?: TestPageOptions) {
  const page = await startTestPage(options);
  const cookie = await page.openSession();
  return { ...page, cookie, get: (path: string) => page.call(`GET ${path}`, { headers: { cookie } }) };
}

export const podNamed = (name: string, spec: JsonObject = {}): JsonObject => ({
  metadata: { name },
  spec: { containers: [{ name: "web", image: "nginx" }], ...spec },
});

/** What a browser asks for when a link is opened. */
export const targetOf = (link: string): string => link.slice(new URL(link).origin.length);

const embedded: PageServerOptions["cluster"] = {
  mode: "embedded",
  name: "trimtab",
  server: "https://127.0.0.1:6443",
  pageVersion: "0.1.0",
  writes: true,
  records: ["decisions", "placements"],
  removalProfile: "trimtab",
  featureGates: defaultFeatureGates,
  schedulerProfiles: [],
};

function bundleFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), "trimtab-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), "<!doctype html><title>the page</title>");
  writeFileSync(path.join(folder, "assets", "index-a1b2.js"), "export {};");
  writeFileSync(path.join(folder, "secret.txt"), "not for the browser");
  return folder;
}
