import { keyOf, type StoredObject } from "../../src/api/object.ts";
import type { ListWatchOutput } from "../../src/machinery/watch/list-watch-state.ts";
import type { LiveChange, WatchedKind } from "./kinds.ts";
import { withoutManagedFields } from "./without-managed-fields.ts";

/**
 * Turns what a list and watch delivers into changes of a collection. A list that replaces the collection becomes the
 * differences only, so that what stayed the same is not drawn again.
 */
export function collectionSink<T extends StoredObject>(
  kind: WatchedKind,
  known: ReadonlyMap<string, T>,
  changed: (changes: readonly LiveChange[]) => void,
): (output: ListWatchOutput<T>) => void {
  let gathered = new Map<string, T>();
  return (output) => {
    switch (output.type) {
      case "gather": {
        const { type, object } = output.event;
        if (type === "DELETED") gathered.delete(keyOf(object));
        else gathered.set(keyOf(object), withoutManagedFields(object));
        return;
      }
      case "discard":
        gathered = new Map();
        return;
      case "replace":
        changed(differences(kind, known, gathered));
        gathered = new Map();
        return;
      case "apply": {
        const { type, object } = output.event;
        const key = keyOf(object);
        const after = type === "DELETED" ? undefined : withoutManagedFields(object);
        changed([{ kind, key, before: known.get(key), after }]);
        return;
      }
      case "reach":
        return;
    }
  };
}

function differences<T extends StoredObject>(
  kind: WatchedKind,
  known: ReadonlyMap<string, T>,
  next: ReadonlyMap<string, T>,
): readonly LiveChange[] {
  const changes: LiveChange[] = [];
  for (const [key, before] of known)
    if (!next.has(key)) changes.push({ kind, key, before, after: undefined });
  for (const [key, after] of next) {
    const before = known.get(key);
    const isSame =
      before?.metadata.uid === after.metadata.uid &&
      before.metadata.resourceVersion === after.metadata.resourceVersion;
    if (!isSame) changes.push({ kind, key, before, after });
  }
  return changes;
}
