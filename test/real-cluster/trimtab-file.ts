import path from "node:path";
import { packageFolder } from "../../src/cli/installed-package.ts";

/** The bundled program, as users run it: `npm run build:program` makes it. */
export const trimtabFile = (): string => path.join(packageFolder(), "dist/cli/main.js");
