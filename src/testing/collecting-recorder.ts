import type { EventNote, EventRecorder } from "../machinery/events/event-note.ts";

/** A recorder that remembers, for tests that look at what people are told. */
export interface CollectingRecorder extends EventRecorder {
  readonly notes: readonly EventNote[];
}

/** Starts with nothing recorded. */
export function collectingRecorder(): CollectingRecorder {
  const notes: EventNote[] = [];
  return { notes, record: (note) => void notes.push(note) };
}
