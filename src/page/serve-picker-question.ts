import type { IncomingMessage } from "node:http";
import { type Forwarding, refusalOf } from "./forward-read.ts";
import type { Page } from "./page.ts";
import { readPickerQuestion } from "./read-action.ts";
import { badRequestStatus, notFoundStatus } from "./refusal.ts";
import { sendJson, sendRefusal } from "./send.ts";
import { readBody } from "./serve-action.ts";

/** Serves `POST /ask-pickers`: asks the pickers of a workload, and changes nothing. */
export async function servePickerQuestion(
  request: IncomingMessage,
  { response, signal }: Forwarding,
  { askPickers }: Pick<Page, "askPickers">,
): Promise<void> {
  const read = await readBody(request, readPickerQuestion);
  if (!read.ok) {
    sendRefusal(response, read.refusal);
    return;
  }
  if (askPickers === undefined) {
    sendRefusal(response, notFoundStatus("this page asks no pod pickers"));
    return;
  }
  try {
    const asked = await askPickers(read.question, signal);
    if (asked.ok) sendJson(response, asked.answers);
    else sendRefusal(response, badRequestStatus(asked.problem));
  } catch (error) {
    // The boundary of HTTP.
    sendRefusal(response, refusalOf(error));
  }
}
