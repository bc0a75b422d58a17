import type { EventDraft, EventRecorder } from "../machinery/events/event-draft.ts";

/** A recorder that remembers, for tests that look at what people are told. */
export interface CollectingRecorder extends EventRecorder {
  readonly events: readonly EventDraft[];
}

/** Starts with nothing recorded. */
export function collectingRecorder(): CollectingRecorder {
  const events: EventDraft[] = [];
  return { events, record: (event) => void events.push(event) };
}
