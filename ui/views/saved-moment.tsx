import { createContext, type JSX } from "preact";
import { useContext } from "preact/hooks";
import type { Snapshot } from "../../src/simulation/snapshot/snapshot.ts";
import { formatMicroTime } from "../../src/api/time.ts";
import { ShareMoment } from "./share-moment.tsx";

/** A moment that was opened from a file, and how one is opened. */
export interface SavedMomentState {
  /** What is shown in place of the cluster; absent: the cluster itself. */
  readonly saved?: { readonly file: string; readonly snapshot: Snapshot } | undefined;
  /** What was wrong with a file. */
  readonly problem?: string | undefined;
  /** Absent: files are opened elsewhere, as the playground does. */
  readonly open?: (file: File) => void;
  readonly close?: () => void;
}

export const SavedMomentContext = createContext<SavedMomentState>({});

export const useSavedMoment = (): SavedMomentState => useContext(SavedMomentContext);

/** Opens the file of a saved moment. */
export function OpenMoment({ label = "Open moment" }: { readonly label?: string }): JSX.Element | null {
  const { open } = useSavedMoment();
  if (open === undefined) return null;
  const opened = (input: HTMLInputElement) => {
    const file = input.files?.[0];
    input.value = ""; // so that the same file can be opened again
    if (file !== undefined) open(file);
  };
  return (
    <label class="open-file">
      <input
        type="file"
        accept=".yaml,.yml,.json"
        class="visually-hidden"
        onChange={({ currentTarget }) => opened(currentTarget)}
      />
      <span class="button small">{label}</span>
    </label>
  );
}

/** Says that what is shown is a file, and leads back to the cluster. */
export function SavedMomentNotice(): JSX.Element | null {
  const { saved, problem, close } = useSavedMoment();
  return (
    <>
      {problem !== undefined && (
        <p class="notice bad file-problem">
          <b>This file cannot be opened.</b> {problem}
        </p>
      )}
      {saved !== undefined && (
        <p class="notice saved">
          <b>A saved moment</b> of {`${formatMicroTime(saved.snapshot.takenAt).slice(0, 19)}Z`}
          {saved.snapshot.isAnonymised && ", with other names"}, from {saved.file}. Nothing here is live.{" "}
          <button type="button" class="small strong" onClick={() => close?.()}>
            Back to live
          </button>{" "}
          <ShareMoment
            label="Share moment"
            momentOf={({ shown, context, facts }) => ({ objects: shown.objects, now: context.now, facts })}
          />{" "}
          <OpenMoment label="Open another" />
        </p>
      )}
    </>
  );
}
