import { listReader } from "./workload-reader.ts";
import { describeReader } from "./workload-reader.contract.ts";

describeReader((objects) => listReader({ ...objects, replicationControllers: [] }));
