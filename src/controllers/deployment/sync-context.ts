import type { Deployment } from "../../api/generated/apps-v1.ts";
import type { StoredObject } from "../../api/object.ts";
import type { Resource } from "../../api/resource.ts";
import type { Client } from "../../machinery/client/client.ts";
import type { EventRecorder } from "../../machinery/events/event-draft.ts";

/** One sync of one Deployment: the Deployment and the dependencies for applying a plan to it. */
export interface DeploymentSync {
  readonly deployment: Deployment;
  readonly client: Client;
  readonly events: EventRecorder;
  /** Records a write, so that the Deployment is not synced again before the informers have read it. */
  readonly wrote: (resource: Resource, written: StoredObject) => void;
  /** The resource versions of what this sync has written: a second write of the same object builds on the first. */
  readonly versions: Map<string, string>;
  readonly signal: AbortSignal;
}
