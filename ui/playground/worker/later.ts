/**
 * What loads the modules that vite.config.ts takes out of the first transfer: they are imported as ever, but their exports are
 * there only after `loadLater`. Elsewhere, as in Node, there is nothing to load.
 */
export const later: (() => Promise<void>)[] = [];

let loading: Promise<void> | undefined;

async function loadAll(): Promise<void> {
  // What is loaded may add to the list: some of these modules import others of them.
  for (const load of later) await load();
}

/** Loads them, once; a failure says so in a sentence, and is tried again by the next call. */
export async function loadLater(): Promise<void> {
  loading ??= loadAll();
  try {
    await loading;
  } catch (error) {
    loading = undefined;
    throw new Error("a part of this page could not be loaded: is its server gone?", { cause: error });
  }
}

/** Kinds whose objects have expressions, patterns or schedules; a backslash may hide their names. */
const needing = /\\|CustomResource|Admission|Webhook|CronJob|Snapshot/i;

/** Whether a scenario may need them from its beginning. */
export const needsLater = (scenario: string): boolean => needing.test(scenario);
