import { MemoryStore } from "./memory-store.ts";
import { storeContract } from "./store.contract.ts";

storeContract("the memory store", (making) => new MemoryStore(making));
