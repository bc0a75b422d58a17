import type { DocumentOf } from "../../api/documents/document-schema.ts";
import type { JsonObject } from "../../api/json.ts";
import type { Snapshot } from "../snapshot/snapshot.ts";
import type { assertion } from "./assertion-schema.ts";
import type { EventActionName, actions, event } from "./event-schema.ts";
import type { scenarioPicker, scenarioSchema, work } from "./scenario-schema.ts";

/** A scenario as its file has it, after validation: plain data, so that threads can be given it. */
export interface ScenarioDocument extends Omit<
  DocumentOf<typeof scenarioSchema>,
  "apiVersion" | "kind" | "name" | "snapshot" | "manifests" | "manifestFiles"
> {
  readonly name: string;
  /** The content of the snapshot file, not its name. */
  readonly snapshot?: Snapshot;
  /** Those of `manifestFiles`, too. */
  readonly manifests: readonly JsonObject[];
}

/** Which Pods are busy. */
export type WorkDocument = DocumentOf<typeof work>;

/** The load on the Pods of an object, as its annotation has it. */
export type LoadDocument = DocumentOf<(typeof actions)["load"]>;

/** A pod picker as data. */
export type ScenarioPickerDocument = DocumentOf<typeof scenarioPicker>;

/** An object by its name, or Pods by a selector. */
export type ObjectsTarget = DocumentOf<(typeof actions)["delete"]>;

/** A node by its name, or all nodes of a zone. */
export type NodesDocument = DocumentOf<(typeof actions)["drain"]>;

/** Something that happens at a time: exactly one action is there. */
export type EventDocument = DocumentOf<typeof event>;

/** What an event does: exactly one member is there. */
export type ActionDocument = Pick<EventDocument, EventActionName>;

/** Something that has to hold: exactly one subject is there. */
export type AssertionDocument = DocumentOf<typeof assertion>;
