import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { clockTime } from "./format.ts";
import type { Route } from "./route.ts";
import { useSavedMoment } from "./saved-moment.tsx";
import { useFrames } from "./use-store.ts";

const tabs = [
  { href: "#/cluster", text: "Cluster", views: ["cluster", "node"] },
  { href: "#/workloads", text: "Workloads", views: ["workloads", "workload", "pod"] },
  { href: "#/decisions", text: "Decisions", views: ["decisions"] },
] as const satisfies readonly { href: string; text: string; views: readonly Route["view"][] }[];

/** The name of the cluster, the views, and how many Pods there are. */
export function TopBar({ route }: { readonly route: Route }): JSX.Element {
  const store = useFrames(200);
  const { facts, counts } = store;
  const nodes = store.shown.collections.nodes.size;
  return (
    <header class="top">
      <div class="brand">
        <strong>trimtab</strong>
        {facts !== undefined && facts.name !== "trimtab" && <span class="quiet">{facts.name}</span>}
      </div>
      <nav aria-label="Views">
        {tabs.map(({ href, text, views }) => {
          const isCurrent = (views as readonly string[]).includes(route.view);
          return (
            <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
              {text}
            </a>
          );
        })}
      </nav>
      <dl class="tally">
        <Tally name="nodes" value={nodes} />
        <Tally name="ready" value={counts.ready} />
        <Tally name="waiting" value={counts.starting + counts.unscheduled} />
        <Tally name="terminating" value={counts.terminating} />
      </dl>
      <ClusterClock />
      <Status />
      <ThemeSwitch />
    </header>
  );
}

function Tally({ name, value }: { readonly name: string; readonly value: number }): JSX.Element {
  return (
    <div class={value === 0 ? "zero" : ""}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** The time of the cluster at the moment that is shown, and how it passes there if not at the pace of the wall clock. */
function ClusterClock(): JSX.Element | null {
  const { facts, context } = useFrames(200);
  if (facts === undefined) return null;
  const { speed, paused } = facts.time;
  const pace = paused ? " paused" : speed === 1 ? "" : ` ×${speed}`;
  return (
    <span class={pace === "" ? "clock" : "clock other"} title="The time of the cluster, UTC">
      {clockTime(context.now)}
      {pace}
    </span>
  );
}

function Status(): JSX.Element {
  const { connection, moment } = useFrames(200);
  const { saved } = useSavedMoment();
  if (saved !== undefined)
    return (
      <span class="status past" role="status">
        saved
      </span>
    );
  const [look, text] =
    connection.kind === "live"
      ? moment === undefined
        ? (["live", "live"] as const)
        : (["past", "past"] as const)
      : connection.kind === "opening"
        ? (["opening", "connecting"] as const)
        : connection.kind === "paused"
          ? (["lost", "paused"] as const)
          : (["lost", "not connected"] as const);
  return (
    <span class={`status ${look}`} role="status">
      {text}
    </span>
  );
}

type Theme = "auto" | "light" | "dark";
const nextTheme: Readonly<Record<Theme, Theme>> = { auto: "dark", dark: "light", light: "auto" };

/** Light, dark, or as the system is; remembered for the next visit. */
function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(() => storedTheme());
  useEffect(() => {
    if (theme === "auto") delete document.documentElement.dataset["theme"];
    else document.documentElement.dataset["theme"] = theme;
    localStorage.setItem("trimtab-theme", theme);
  }, [theme]);
  return (
    <button type="button" class="plain theme" onClick={() => setTheme(nextTheme[theme])}>
      <span class="visually-hidden">Colours: </span>
      <span aria-hidden="true">◐ </span>
      {theme}
    </button>
  );
}

function storedTheme(): Theme {
  const stored = localStorage.getItem("trimtab-theme");
  return stored === "light" || stored === "dark" ? stored : "auto";
}
