import { fileURLToPath } from "node:url";
import { loadSync, type MethodDefinition } from "@grpc/proto-loader";

const contract = fileURLToPath(new URL("../../contract/picker.proto", import.meta.url));

/** The method of the contract, as the author of a picker loads it from `picker.proto`. */
export function pickPodsMethod(): MethodDefinition<object, object> {
  const loaded = loadSync(contract, { keepCase: true, arrays: true });
  const service = loaded["trimtab.picker.v1.DownscalePodPicker"];
  const method = service !== undefined && "PickPods" in service ? service["PickPods"] : undefined;
  if (method === undefined || typeof method !== "object" || !("requestSerialize" in method))
    throw new Error("contract/picker.proto has no PickPods");
  return method;
}
