import type { Pod } from "../../api/generated/core-v1.ts";
import type { Store } from "../../cluster/store/store.ts";
import { type ClientCall, type Interceptor, isWrite } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Tracks which nodes are slow. One kubelet simulates all nodes, so its writes are delayed Pod by Pod. */
export class NodeFaults {
  readonly #slow = new Map<string, number>();

  slowDown(node: string, delayMs: number): void {
    this.#slow.set(node, delayMs);
  }

  speedUp(node: string): void {
    this.#slow.delete(node);
  }

  /** Returns the interceptor between the kubelet and the API. */
  interceptor(store: () => Store | undefined, schedule: FaultSchedule): Interceptor {
    const nodeOf = ({ collection, namespace = "", name = "" }: ClientCall): string | undefined => {
      if (collection !== "pods") return undefined;
      const pod = store()?.collection("pods").get(`${namespace}/${name}`)?.object as Pod | undefined;
      return pod?.spec.nodeName;
    };
    return {
      call: async (call, send) => {
        const node = isWrite(call) ? nodeOf(call) : undefined;
        const delayMs = node === undefined ? undefined : this.#slow.get(node);
        if (delayMs !== undefined) await schedule.pause(delayMs);
        return send();
      },
    };
  }
}
