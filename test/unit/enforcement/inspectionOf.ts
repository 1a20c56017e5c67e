import type { Inspection } from '../../../bindings/runtime/enforcement/index.js';

/** A question about sending a mail, which is open until 2 seconds after 1970. */
export function inspectionOf(id: string, more: Partial<Inspection> = {}): Inspection {
  return {
    id,
    run: 'run',
    call: { id: 'call-1', name: 'send', arguments: { to: 'ann', password: '[redacted]' } },
    question: 'The agent wants to send.\nShall it?',
    rule: 'noSpam',
    risk: 0.25,
    expiresAt: 2000,
    ...more,
  };
}
