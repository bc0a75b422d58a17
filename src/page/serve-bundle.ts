import { readFile } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import path from "node:path";
import { notBuiltPage } from "./message-pages.ts";
import { notFound } from "./refusal.ts";
import { send, sendHtml, sendRefusal } from "./send.ts";

/** The files of the bundle have a hash in their names, so that they never change. */
const assetName = /^\/assets\/([\w-]+(?:\.[\w-]+)*\.(js|css|svg|woff2))$/;

const types: ReadonlyMap<string, string> = new Map([
  ["js", "text/javascript; charset=utf-8"],
  ["css", "text/css; charset=utf-8"],
  ["svg", "image/svg+xml"],
  ["woff2", "font/woff2"],
]);

/** Sends the start of the page, which names the other files of the bundle. */
export async function serveIndex(response: ServerResponse, folder: string): Promise<void> {
  const html = await read(path.join(folder, "index.html"));
  sendHtml(response, html === undefined ? notBuiltPage : html.toString());
}

/** Sends a file of the bundle. */
export async function serveAsset(
  response: ServerResponse,
  { folder, path: asked }: { readonly folder: string; readonly path: string },
): Promise<void> {
  const [, name = "", extension = ""] = assetName.exec(asked) ?? [];
  const bytes = name === "" ? undefined : await read(path.join(folder, "assets", name));
  if (bytes === undefined) {
    sendRefusal(response, notFound("there is no such file in the page"));
    return;
  }
  const type = types.get(extension) ?? "application/octet-stream";
  const caching = { "Cache-Control": "private, max-age=31536000, immutable" };
  send(response, bytes, { headers: { "Content-Type": type, ...caching } });
}

async function read(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
