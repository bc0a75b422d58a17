import { readFile } from "node:fs/promises";
import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import path from "node:path";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { Clock } from "../machinery/clock/clock.ts";
import { notBuiltPage } from "./message-pages.ts";
import { notFoundStatus } from "./refusal.ts";
import { send, sendHtml, sendRefusal } from "./send.ts";

/** How long a browser may take to read a file: the largest has some hundred kilobytes, and comes from the same machine. */
const readTimeoutMs = 30_000;

/** The files of the bundle have a hash in their names, so that they never change. */
const assetName = /^\/assets\/([\w-]+(?:\.[\w-]+)*\.(js|css|svg|woff2))$/;

const types: ReadonlyMap<string, string> = new Map([
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["woff2", "font/woff2"],
]);

const noSuchFile = notFoundStatus("there is no such file in the page");

/** Where a file of the bundle is read from and sent to. */
export interface BundleAnswer {
  readonly response: ServerResponse;
  readonly folder: string;
  /** Limits how long to wait for a browser that does not read. */
  readonly clock: Clock;
  /** Sent besides those that every response has, or instead of them. */
  readonly headers?: OutgoingHttpHeaders;
}

/** Sends the start of the page, which names the other files of the bundle. */
export async function serveIndex({ response, folder, clock, headers }: BundleAnswer): Promise<void> {
  const html = await read(path.join(folder, "index.html"));
  sendHtml(response, html === undefined ? notBuiltPage : html.toString(), {
    ...(headers !== undefined && { headers }),
  });
  await waitUntilRead(response, clock);
}

/** Sends a file of the bundle. */
export async function serveAsset(
  { response, folder, clock, headers }: BundleAnswer,
  asked: string,
): Promise<void> {
  const [, name = "", extension = ""] = assetName.exec(asked) ?? [];
  const found = name === "" ? undefined : await readAsset(path.join(folder, "assets", name), response);
  if (found === undefined) {
    sendRefusal(response, noSuchFile);
    return;
  }
  const type = types.get(extension) ?? "application/octet-stream";
  const caching = { "Cache-Control": "private, max-age=31536000, immutable" };
  send(response, found.bytes, {
    headers: { "Content-Type": type, ...caching, ...found.headers, ...headers },
  });
  await waitUntilRead(response, clock);
}

interface Asset {
  readonly bytes: Uint8Array;
  readonly headers?: OutgoingHttpHeaders;
}

/** Returns a file, which an installed package has compressed, as the client takes it. */
async function readAsset(file: string, { req }: ServerResponse): Promise<Asset | undefined> {
  const plain = await read(file);
  if (plain !== undefined) return { bytes: plain };
  const bytes = await read(`${file}.gz`);
  if (bytes === undefined) return undefined;
  const vary = { Vary: "Accept-Encoding" };
  return /\bgzip\b/.test(req.headers["accept-encoding"]?.toString() ?? "")
    ? { bytes, headers: { "Content-Encoding": "gzip", ...vary } }
    : { bytes: await promisify(gunzip)(bytes), headers: vary };
}

/** Sends the service worker of a bundle, which browsers ask for anew, since it says which version there is. */
export async function serveServiceWorker({ response, folder, clock, headers }: BundleAnswer): Promise<void> {
  const bytes = await read(path.join(folder, "service-worker.js"));
  if (bytes === undefined) return sendRefusal(response, noSuchFile);
  const type = types.get("js");
  send(response, bytes, { headers: { "Content-Type": type, "Cache-Control": "no-cache", ...headers } });
  await waitUntilRead(response, clock);
}

/** Waits until the response is written; closes a connection that does not read it, since it keeps the file in memory. */
async function waitUntilRead(response: ServerResponse, clock: Clock): Promise<void> {
  if (response.writableFinished || response.destroyed) return;
  const timer = clock.after(readTimeoutMs, () => response.destroy());
  await new Promise<void>((resolve) => response.once("finish", resolve).once("close", resolve));
  timer.cancel();
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
