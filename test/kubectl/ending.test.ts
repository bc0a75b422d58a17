import { newestKubectl } from "./kubectls.ts";
import { describeSessions } from "./kubectl-sessions.contract.ts";
import { endingSessions } from "./sessions/ending.cases.ts";

describeSessions(endingSessions, newestKubectl());
