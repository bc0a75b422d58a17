import type { Client, Component } from "../../../src/machinery/index.ts";

/** What a scenario does things with. */
export interface ScenarioContext {
  /** Of a user whose requests nobody disturbs. */
  readonly client: Client;
  /** Resolves with the first answer that is defined; throws `what` when there is none for long. */
  readonly until: <T>(what: string, ask: () => Promise<T | undefined>) => Promise<T>;
}

/** A small operator, with a mistake that many make or without it, and what shows which of the two it is. */
export interface Operator {
  readonly component: (isMistaken: boolean) => Component;
  /** Uses it as people do; throws when it did something wrong. */
  readonly scenario: (context: ScenarioContext) => Promise<void>;
}

export const namespace = "default";
/** How many objects each scenario is played with. */
export const objectCount = 3;
