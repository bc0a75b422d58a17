import { listReader } from "./list-reader.ts";
import { describeReader } from "./workload-reader.contract.ts";

describeReader((objects) => listReader({ ...objects, replicationControllers: [] }));
