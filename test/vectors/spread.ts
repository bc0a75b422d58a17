import type { Check } from "./kinds.ts";
import { checkPlacement } from "./placement-case.ts";

/** Filtering and scoring by topology spread alone. */
export const checkSpread: Check = checkPlacement;
