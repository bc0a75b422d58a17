import type { Check } from "./kinds.ts";
import { checkPlacement } from "./placement-case.ts";

/** Filtering and scoring by the default plugins. */
export const checkSchedule: Check = checkPlacement;
