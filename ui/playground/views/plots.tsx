import type { ComponentType, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messageOf } from "../../../src/api/message-of.ts";
import type { WorkerLink } from "../worker-link.ts";
import type { PlotsPanelProps } from "./plots-panel.tsx";

/** The plots, whose code is loaded when they are shown. */
export function Plots({ link }: { readonly link: WorkerLink }): JSX.Element {
  const [Panel, setPanel] = useState<ComponentType<PlotsPanelProps>>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    import("./plots-panel.tsx").then(
      ({ PlotsPanel }) => setPanel(() => PlotsPanel),
      (error: unknown) => setProblem(messageOf(error)),
    );
  }, []);
  return Panel === undefined ? <p class="quiet">{problem}</p> : <Panel link={link} />;
}
