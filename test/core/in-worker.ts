import { recordedDigest } from "./recorded-digest.ts";

/** What pages and workers have of what is used here. */
interface Scope {
  addEventListener(type: "message", listener: (message: { readonly data: unknown }) => void): void;
  postMessage(answer: string): void;
}

// The bundle of a page and of a worker: a page calls the function, a worker answers messages.
Object.assign(globalThis, { recordedDigest });
const scope = globalThis as unknown as Scope;
scope.addEventListener("message", ({ data }) => {
  if (typeof data !== "number") return;
  recordedDigest(data).then(
    (digest) => scope.postMessage(digest),
    (error: unknown) => scope.postMessage(String(error)),
  );
});
