import { createCertificateAuthority } from "../machinery/certificates/certificate.ts";
import type { Clock } from "../machinery/clock/clock.ts";
import type { Logger } from "../machinery/log/logger.ts";
import type { Random } from "../machinery/random/random.ts";
import { newSecret } from "../machinery/random/system-random.ts";
import { type DataDirectory, openDataDirectory } from "../cluster/data-directory/open-data-directory.ts";
import { MemoryStore } from "../cluster/store/memory-store.ts";
import { processHeap } from "./process-heap.ts";

/** The part of the heap that superseded and deleted objects may take: 256 MiB of Node's usual 4 GiB. */
const historyShare = 16;

/** What a cluster is kept with. */
export interface StorageOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
}

/** Opens the data directory, or keeps everything in memory; throws one sentence when the directory cannot be used. */
export async function openStorage(
  dataDirectory: string | undefined,
  { clock, random, log }: StorageOptions,
): Promise<DataDirectory> {
  const storeOptions = { clock, maxHistoryBytes: processHeap.read().limitBytes / historyShare };
  if (dataDirectory === undefined) {
    const authority = createCertificateAuthority(clock.now(), random);
    return { store: new MemoryStore(storeOptions), authority, token: newSecret() };
  }
  return openDataDirectory(dataDirectory, {
    ...storeOptions,
    random,
    onFailure: (failure) =>
      failure === undefined
        ? log.warn("the data directory can be written again", { dataDirectory })
        : log.error(failure.message, { dataDirectory }),
  });
}
