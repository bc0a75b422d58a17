// The service worker of the playground: keeps its files, so that the page can be opened without a network. It never answers
// with an old page while the server of the page answers itself.

/** What a service worker has, which the types of a page do not say. */
interface ServiceScope {
  readonly registration: { readonly scope: string };
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: LastingEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
}

interface LastingEvent {
  waitUntil(work: Promise<unknown>): void;
}

interface FetchEvent {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

/** Written by the build: all files beside the page, and a hash of everything. */
declare const builtFiles: readonly string[];
declare const builtVersion: string;

const scope = globalThis as unknown as ServiceScope;
const folder = scope.registration.scope;
const page = new URL("index.html", folder).href;

/** Of this folder: others of the same host may have playgrounds of other versions. */
const cachePrefix = `trimtab playground ${folder} `;
const cacheName = cachePrefix + builtVersion;

/** The cache of the version before is kept: pages that were opened with it load more of it later. */
const keptVersions = 2;

/** A server that has not answered for so long counts as gone. */
const patienceMs = 4000;

scope.addEventListener("install", (event) => {
  event.waitUntil(keepFiles().then(() => scope.skipWaiting()));
});

scope.addEventListener("activate", (event) => {
  event.waitUntil(forgetOldVersions().then(() => scope.clients.claim()));
});

scope.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  const [address = ""] = url.split(/[?#]/, 1);
  if (method !== "GET") return;
  if (mode === "navigate" && (address === folder || address === page)) event.respondWith(pageOf(event));
  else if (address.startsWith(new URL("assets/", folder).href)) event.respondWith(fileOf(event.request));
});

async function keepFiles(): Promise<void> {
  const cache = await caches.open(cacheName);
  await cache.addAll(builtFiles.map((file) => new URL(file, folder).href));
  const response = await fetch(page, { cache: "no-cache" });
  if (!response.ok) throw new Error(`the page cannot be kept: its server answered ${response.status}`);
  // A copy: browsers refuse to show a page that came by a redirect, as some hosts have for index.html.
  await cache.put(page, new Response(await response.blob(), { headers: response.headers }));
}

async function forgetOldVersions(): Promise<void> {
  const own = (await caches.keys()).filter((name) => name.startsWith(cachePrefix) && name !== cacheName);
  await Promise.all(own.slice(0, own.length - (keptVersions - 1)).map((name) => caches.delete(name)));
}

/** The page as its server has it; the one that was kept where there is no server. */
async function pageOf({ request }: FetchEvent): Promise<Response> {
  const cache = await caches.open(cacheName);
  const kept = await cache.match(page);
  if (kept === undefined) return fetch(request);
  const tooLate = new Promise<Response>((resolve) =>
    AbortSignal.timeout(patienceMs).addEventListener("abort", () => resolve(kept)),
  );
  return Promise.race([fetch(request).catch(() => kept), tooLate]);
}

/** A file whose name has its hash, so that it never changes. */
async function fileOf(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}
