import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { FeatureGate, FeatureGates } from "../../../src/api/feature-gates.ts";
import type { ClusterFacts } from "../../../src/page/contract.ts";
import type { WorkerLink } from "../worker-link.ts";

/** What can be switched and broken by hand, besides the nodes, zones and Pods that the views have. */
export function FaultsPanel({
  link,
  isShown,
}: {
  readonly link: WorkerLink;
  readonly isShown: boolean;
}): JSX.Element {
  const [gates, setGates] = useState<Readonly<Partial<FeatureGates>>>({});
  const [isHanging, setHanging] = useState(false);
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!isShown) return; // a scenario may switch gates meanwhile
    void link.ask<ClusterFacts>({ ask: "facts" }).then((facts) => setGates(facts.featureGates ?? {}));
  }, [link, isShown]);
  const change = async (gate: FeatureGate, isOn: boolean) => {
    await link.ask({ ask: "gates", gates: { [gate]: isOn } });
    setGates((before) => ({ ...before, [gate]: isOn }));
    setSaid(`${gate} is ${isOn ? "on" : "off"} from now on`);
  };
  const hang = async (isOn: boolean) => {
    await link.ask({ ask: "hang-pickers", isOn });
    setHanging(isOn);
    setSaid(isOn ? "Pod pickers do not answer any more" : "Pod pickers answer again");
  };
  const cut = async () => {
    const count = await link.ask<number>({ ask: "cut-watches" });
    setSaid(`${count} watches were cut: whoever watched asks again`);
  };
  return (
    <div class="faults">
      <fieldset>
        <legend>Feature gates</legend>
        {(Object.entries(gates) as [FeatureGate, boolean][]).map(([gate, isOn]) => (
          <label key={gate}>
            <input
              type="checkbox"
              checked={isOn}
              onChange={({ currentTarget }) => void change(gate, currentTarget.checked)}
            />{" "}
            {gate}
          </label>
        ))}
      </fieldset>
      <label>
        <input
          type="checkbox"
          checked={isHanging}
          onChange={({ currentTarget }) => void hang(currentTarget.checked)}
        />{" "}
        Pod pickers hang
      </label>
      <button type="button" onClick={() => void cut()}>
        Cut the watches of the API server
      </button>
      <p class="quiet">Nodes and zones fail and return in the view Cluster.</p>
      <p role="status">{said}</p>
    </div>
  );
}
