import { diskContract } from "../cluster/store/durable/disk.contract.ts";
import { memoryDisk } from "./memory-disk.ts";

diskContract("the disk of tests", () => {
  const disk = memoryDisk();
  return { open: async () => disk, finished: (work) => work };
});
