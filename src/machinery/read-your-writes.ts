import { qualifiedName, type Resource } from "../api/resource.ts";
import { compareResourceVersions, isResourceVersion } from "../api/resource-version.ts";

/** A view of a collection that knows the version it has read up to; every informer is one. */
export interface VersionedView {
  readonly resource: Resource;
  readonly resourceVersion: string;
}

/** A write of the controller that a view has not read yet. */
export interface UnreadWrite {
  readonly resource: Resource;
  readonly written: string;
  readonly read: string;
}

/** The object a controller reconciles when it writes. */
export interface ReconciledObject {
  readonly key: string;
  readonly uid: string;
}

interface Written {
  readonly uid: string;
  /** The latest version written, by the collection's qualified name. */
  readonly versions: Map<string, string>;
}

/**
 * The latest versions a controller has written for each object it reconciles. Until its informers have read that far,
 * another reconcile of the same object would decide on outdated objects.
 */
export class ReadYourWrites {
  readonly #readers: readonly VersionedView[];
  readonly #written = new Map<string, Written>();

  constructor(readers: readonly VersionedView[]) {
    this.#readers = readers;
  }

  /** Records a write. An older one changes nothing; writes for an object with another UID replace those before. */
  record(reconciled: ReconciledObject, resource: Resource, version: string): void {
    if (!isResourceVersion(version)) return;
    const known = this.#written.get(reconciled.key);
    const written =
      known?.uid === reconciled.uid ? known : { uid: reconciled.uid, versions: new Map<string, string>() };
    this.#written.set(reconciled.key, written);
    const name = qualifiedName(resource);
    const latest = written.versions.get(name) ?? "";
    if ((compareResourceVersions(version, latest) ?? 1) > 0) written.versions.set(name, version);
  }

  /** The first write for this key that has not been read; when all have, they are forgotten. */
  firstUnread(key: string): UnreadWrite | undefined {
    const versions = this.#written.get(key)?.versions;
    if (versions === undefined) return undefined;
    for (const { resource, resourceVersion: read } of this.#readers) {
      const written = versions.get(qualifiedName(resource)) ?? "";
      // Versions that cannot be compared, such as that of an empty view, count as read.
      if ((compareResourceVersions(written, read) ?? 0) > 0) return { resource, written, read };
    }
    this.#written.delete(key);
    return undefined;
  }

  /** Forgets the writes for a key; with a UID, only if they were for the object of that UID. */
  forget(key: string, uid?: string): void {
    if (uid === undefined || this.#written.get(key)?.uid === uid) this.#written.delete(key);
  }
}
