import type { Pod } from "../../api/generated/core-v1.ts";
import type { Store } from "../../cluster/store/store.ts";
import { type ClientCall, type Interceptor, isWrite } from "../../machinery/client/intercept-client.ts";
import type { FaultSchedule } from "./fault-schedule.ts";

/** Which nodes have stopped or are slow: one kubelet plays them all, so it is held up Pod by Pod. */
export class NodeFaults {
  readonly #slow = new Map<string, number>();
  readonly #stopped = new Map<string, { readonly recovered: Promise<void>; readonly recover: () => void }>();

  isStopped(node: string): boolean {
    return this.#stopped.has(node);
  }

  stop(node: string): void {
    let recover = (): void => undefined;
    const recovered = new Promise<void>((resolve) => (recover = resolve));
    this.#stopped.set(node, { recovered, recover });
  }

  /** Its kubelet starts anew: what it was about to say it has to find out again. */
  start(node: string): void {
    this.#stopped.get(node)?.recover();
    this.#stopped.delete(node);
  }

  slowDown(node: string, delayMs: number): void {
    this.#slow.set(node, delayMs);
  }

  speedUp(node: string): void {
    this.#slow.delete(node);
  }

  /** Between the kubelet and the API. */
  interceptor(store: () => Store | undefined, weather: FaultSchedule): Interceptor {
    const nodeOf = ({ collection, namespace = "", name = "" }: ClientCall): string | undefined => {
      if (collection !== "pods") return undefined;
      const pod = store()?.collection("pods").get(`${namespace}/${name}`)?.object as Pod | undefined;
      return pod?.spec.nodeName;
    };
    return {
      call: async (call, send) => {
        const node = isWrite(call) ? nodeOf(call) : undefined;
        if (node === undefined) return send();
        const trouble = this.#stopped.get(node);
        if (trouble !== undefined) {
          await trouble.recovered;
          throw new Error(`the kubelet of ${node} was stopped`);
        }
        const delayMs = this.#slow.get(node);
        if (delayMs !== undefined) await weather.pause(delayMs);
        return send();
      },
    };
  }
}
