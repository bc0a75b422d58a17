import { describeSessions } from "./describe-sessions.ts";
import { writingSessions } from "./writing.cases.ts";

describeSessions(writingSessions);
