import { createReadStream } from 'node:fs';
import { expect, it } from 'vitest';
import { readTraces, type Trace } from '../../../bindings/observations/trace/index.js';
import { compileRules, parseSpecification } from '../../../bindings/rules/specification/index.js';
import { createSession } from '../../../bindings/runtime/enforcement/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';
import { sharedData } from '../../shared.js';

const WRITES = [
  'book_reservation',
  'cancel_reservation',
  'send_certificate',
  'update_reservation_baggages',
  'update_reservation_flights',
  'update_reservation_passengers',
];

const RULES = `version: 1
predicates:
  cancels: 'action.name == "cancel_reservation"'
  identifies: 'action.name == "get_user_details"'
  fourthWrite: 'action.name in ${JSON.stringify(WRITES)} && size(history.filter(c, c.name in ${JSON.stringify(WRITES)})) >= 3'
  refundsAgain: 'action.name == "send_certificate" && history.exists(c, c.name == "send_certificate")'
rules:
  identifyFirst: { formula: 'G (cancels -> O identifies)' }
  threeWrites: { formula: 'G !fourthWrite' }
  oneRefund: { formula: 'G !refundsAgain' }`;

/** The rules by hand: which may be broken by the next call, after those that ran. */
class ByHand {
  readonly #ran: string[] = [];

  breaks(name: string): boolean {
    const writes = this.#ran.filter((one) => WRITES.includes(one)).length;
    return (
      (name === 'cancel_reservation' && !this.#ran.includes('get_user_details')) ||
      (WRITES.includes(name) && writes >= 3) ||
      (name === 'send_certificate' && this.#ran.includes(name))
    );
  }

  ran(name: string): void {
    this.#ran.push(name);
  }
}

sharedData('tau-bench/gpt-4o-airline.json', (file) => {
  it('three exact rules stop every call that breaks one, and no other, without a trace', async () => {
    const text = createReadStream(file);
    const guard = createGuard(compileRules(parseSpecification(RULES)));
    const tools = new Set<string>();
    const traces: Trace[] = [];
    for await (const trace of readTraces(text, { format: 'tau-bench', source: 'airline' })) {
      traces.push(trace);
      for (const { action } of trace.steps) if (action) tools.add(String((action as { name: string }).name));
    }
    const count = { calls: 0, stopped: 0, missed: 0, withheld: 0 };
    for (const { steps } of traces) {
      const session = createSession({ guard, tools: [...tools] });
      const byHand = new ByHand();
      for (const [i, { action }] of steps.entries()) {
        if (action === undefined) continue;
        const { name, arguments: given = {} } = action as {
          name: string;
          arguments?: Record<string, unknown>;
        };
        const breaks = byHand.breaks(name);
        const verdict = await session.decide({ id: String(i), name, arguments: given });
        count.calls++;
        if (verdict.run === null) count[breaks ? 'stopped' : 'withheld']++;
        else {
          if (breaks) count.missed++;
          byHand.ran(name);
          await session.ran(verdict, { result: null });
        }
      }
      await session.end();
    }
    expect(count).toMatchObject({ missed: 0, withheld: 0 });
    expect(count.calls).toBeGreaterThan(800);
    expect(count.stopped).toBeGreaterThan(20);
  });
});
