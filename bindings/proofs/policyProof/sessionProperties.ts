import { buildAutomaton } from '../../languages/automaton/index.js';
import { type Expression, parseExpression } from '../../languages/expression/index.js';
import type { PredicateDefinition } from '../../observations/abstraction/index.js';
import type { PolicySpecification, SessionProperty } from '../../rules/specification/index.js';
import type { Obligation } from './obligation.js';
import { type SessionCall, SessionRuns } from './sessionRuns.js';

/** In place of a policy, in obligations that are about all policies together. */
export const SESSION = 'session';

/** The obligations of what all policies together must ensure of a session. */
export function sessionObligations(
  { session, set }: PolicySpecification,
  options: { readonly steps: number; readonly recheck: boolean },
): Obligation[] {
  return session.map((property): Obligation => {
    const { name, line } = property;
    const about = { policy: SESSION, kind: SESSION, name, line, isRemark: false } as const;
    const by = [{ name: 'built-in', version: '' }];
    try {
      const automaton = buildAutomaton(property.formula);
      const predicates = expressionsOf(property.predicates);
      const question = { automaton, predicates, judgesEnd: true, idle: false };
      const answer = new SessionRuns(set, question, options).answer();
      if (answer.kind === 'never') {
        const rechecked = options.recheck ? '; rechecked' : '';
        return { ...about, verdict: 'proved', says: `for every session${rechecked}`, by };
      }
      if (answer.kind === 'unknown') return { ...about, verdict: 'unproved', says: answer.reason, by };
      const { calls } = answer;
      const says = `the policies permit these calls, one after another, and the property does not hold of them: ${calls.map(describeCall).join(', then ')}`;
      return { ...about, verdict: 'refuted', says, calls, by };
    } catch (error) {
      // A formula whose automaton is too large, or steps that run out.
      return { ...about, verdict: 'unproved', says: error instanceof Error ? error.message : `${error}`, by };
    }
  });
}

/** The predicates of session properties, parsed. */
export function expressionsOf(predicates: readonly PredicateDefinition[]): ReadonlyMap<string, Expression> {
  return new Map(predicates.map(({ name, expression }) => [name, parseExpression(expression, { name })]));
}

/** All predicates that session properties read. */
export function sessionExpressions(session: readonly SessionProperty[]): Expression[] {
  return session.flatMap(({ predicates }) => [...expressionsOf(predicates).values()]);
}

function describeCall({ name, arguments: given, state }: SessionCall): string {
  const where = Object.keys(state).length === 0 ? '' : ` where the state is ${JSON.stringify(state)}`;
  return `${name} ${JSON.stringify(given)}${where}`;
}
