import { findKubectls } from "./kubectls.ts";
import { describeSessions } from "./kubectl-sessions.contract.ts";
import { readingSessions } from "./sessions/reading.cases.ts";

describeSessions(readingSessions, findKubectls());
