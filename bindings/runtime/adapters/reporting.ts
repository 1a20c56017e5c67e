import type { DecidingSession } from '../enforcement/index.js';

/** The same session with another `ran`, for frameworks whose tools report outcomes in forms of their own. */
export function reporting(session: DecidingSession, ran: DecidingSession['ran']): DecidingSession {
  return {
    check: (call) => session.check(call),
    decide: (call) => session.decide(call),
    answer: (inspectionId, answer) => session.answer(inspectionId, answer),
    ran,
    withdraw: (verdict) => session.withdraw(verdict),
    get stopped() {
      return session.stopped;
    },
  };
}
