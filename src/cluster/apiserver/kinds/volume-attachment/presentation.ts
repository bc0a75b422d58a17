import type { VolumeAttachment } from "../../../../api/generated/storage-v1.ts";
import { ageOf, textOrEmpty } from "../../tables/cell-text.ts";
import {
  ageColumn,
  column,
  nameColumn,
  type TableDescription,
  type Unchecked,
} from "../../tables/table-description.ts";
import type { KindPresentation } from "../kind-presentation.ts";

const volumeAttachmentTable: TableDescription<Unchecked<VolumeAttachment>> = {
  columns: [
    nameColumn,
    column("Attacher", "Who attaches the volume."),
    column("PV", "The volume."),
    column("Node", "The node."),
    column("Attached", "Whether it is attached.", "boolean"),
    ageColumn,
  ],
  cells: (attachment, now) => [
    attachment.metadata.name,
    textOrEmpty(attachment.spec?.attacher),
    textOrEmpty(attachment.spec?.source?.persistentVolumeName),
    textOrEmpty(attachment.spec?.nodeName),
    attachment.status?.attached ?? false,
    ageOf(attachment, now),
  ],
};

export const volumeAttachmentPresentation: KindPresentation = {
  table: volumeAttachmentTable,
  descriptions: {
    "storage.v1.VolumeAttachment": {
      about: "A volume attached to a node. Stored here, not run.",
    },
  },
};
