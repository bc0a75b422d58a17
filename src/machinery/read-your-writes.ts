import { qualifiedName, type Resource } from "../api/resource.ts";
import { compareResourceVersions, isResourceVersion } from "../api/resource-version.ts";

/** A view of a collection that knows how far it has come; every informer is one. */
export interface VersionedView {
  readonly resource: Resource;
  readonly resourceVersion: string;
}

/** A write of ours that a view has not come to yet. */
export interface UnreadWrite {
  readonly resource: Resource;
  readonly written: string;
  readonly read: string;
}

/** Whom a controller writes for. */
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
 * What a controller has written last, for whom. Until its informers have read that far,
 * deciding again for the same owner would be deciding on yesterday's news.
 */
export class ReadYourWrites {
  readonly #readers: readonly VersionedView[];
  readonly #written = new Map<string, Written>();

  constructor(readers: readonly VersionedView[]) {
    this.#readers = readers;
  }

  /** Remembers a write. An older one changes nothing; an owner with another UID starts afresh. */
  record(owner: ReconciledObject, resource: Resource, version: string): void {
    if (!isResourceVersion(version)) return;
    const known = this.#written.get(owner.key);
    const written =
      known?.uid === owner.uid ? known : { uid: owner.uid, versions: new Map<string, string>() };
    this.#written.set(owner.key, written);
    const name = qualifiedName(resource);
    const latest = written.versions.get(name) ?? "";
    if ((compareResourceVersions(version, latest) ?? 1) > 0) written.versions.set(name, version);
  }

  /** The first write for this owner that has not been read; when all have, they are forgotten. */
  firstUnread(key: string): UnreadWrite | undefined {
    const versions = this.#written.get(key)?.versions;
    if (versions === undefined) return undefined;
    for (const { resource, resourceVersion: read } of this.#readers) {
      const written = versions.get(qualifiedName(resource)) ?? "";
      // What cannot be compared, an empty view included, is not held against anyone.
      if ((compareResourceVersions(written, read) ?? 0) > 0) return { resource, written, read };
    }
    this.#written.delete(key);
    return undefined;
  }

  /** Forgets the writes for an owner; with a UID, only if it is still that one. */
  forget(key: string, uid?: string): void {
    if (uid === undefined || this.#written.get(key)?.uid === uid) this.#written.delete(key);
  }
}
