/** Lets the browser keep the files of this page, so that it can be opened again without a network. */
export async function keepOffline(): Promise<void> {
  try {
    // Browsers have none on pages that came over plain HTTP from another machine.
    await navigator.serviceWorker?.register("./service-worker.js", { updateViaCache: "none" });
  } catch {
    // Not allowed here, as in a frame of another site: the page works as before, and needs its server to be opened again.
  }
}
