import type { EventDraft, EventRecorder } from "../machinery/events/event-draft.ts";

/** A recorder that keeps its events, for tests of what is recorded. */
export interface CollectingRecorder extends EventRecorder {
  readonly events: readonly EventDraft[];
}

/** Starts with nothing recorded. */
export function collectingRecorder(): CollectingRecorder {
  const events: EventDraft[] = [];
  return { events, record: (event) => void events.push(event) };
}
