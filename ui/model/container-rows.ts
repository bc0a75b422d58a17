import type { ContainerState, ContainerStatus, Pod } from "../../src/api/generated/core-v1.ts";

/** A container of a Pod, as a table shows it. */
export interface ContainerRow {
  readonly name: string;
  readonly image: string;
  readonly isInit: boolean;
  readonly state: string;
  readonly restarts: number;
  /** How it ended before its last restart; empty where it did not. */
  readonly before: string;
}

/** The containers of a Pod, those that run first first. */
export function containerRows({ spec, status }: Pod): readonly ContainerRow[] {
  const row = (
    { name, image = "" }: { readonly name: string; readonly image?: string },
    statuses: readonly ContainerStatus[] = [],
    isInit: boolean,
  ): ContainerRow => {
    const found = statuses.find((each) => each.name === name);
    return {
      name,
      image,
      isInit,
      state: stateText(found?.state),
      restarts: found?.restartCount ?? 0,
      before: found?.lastState?.terminated === undefined ? "" : stateText(found.lastState),
    };
  };
  return [
    ...(spec?.initContainers ?? []).map((each) => row(each, status?.initContainerStatuses, true)),
    ...(spec?.containers ?? []).map((each) => row(each, status?.containerStatuses, false)),
  ];
}

function stateText(state: ContainerState | undefined): string {
  if (state?.running !== undefined) return "running";
  if (state?.terminated !== undefined) {
    const { exitCode, reason = "ended" } = state.terminated;
    return `${reason}, exit code ${exitCode}`;
  }
  return state?.waiting?.reason ?? "waiting";
}
